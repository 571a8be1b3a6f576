import { describe, expect, it } from 'vitest';
import { type ActionPlace, calling, givenSet, isOn, runsOf, signal, turning } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { givenScheduled } from '#testing/change-requests.ts';
import { type FlagEnvironmentParams, freshName, givenEnabled, givenFlagIn } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { metricNamed, startMinute } from '#testing/impact-metrics.ts';
import { useReceiver } from '#testing/receiver.ts';
import { givenPlan, passMinutes, planOf, rolloutTo } from '#testing/release-plans.ts';
import { moreThan, setSafeguard } from '#testing/safeguards.ts';
import { useServer } from '#testing/server.ts';
import { endOverride, freeze, maintain, override } from '#testing/stops.ts';
import { givenSdk } from '#testing/tokens.ts';
import { type AutomationKind, type Rule, rules, type Stop, stops } from './index.ts';

// Walks the table of rules: each automation is made to act while each stop is in force, and again after its end.

const server = useServer({
  allowPrivateIntegrationUrls: true,
  signalEndpointsLimit: 1000,
  actionSetsLimit: 1000,
});
const receiver = useReceiver();
const minuteMs = 60_000;
const flagPath = '/api/admin/projects/:projectId/features/:featureName' as const;

/** An automation that is about to act. */
interface Automation {
  readonly flag: FlagEnvironmentParams;
  /** The endpoint of its signals; another one for what no signal starts. */
  readonly endpoint: ActionPlace['endpoint'];
  /** Makes the automation act, if it may. It needs no change of the configuration, which is locked in maintenance. */
  act(): Promise<void>;
  /** Lets time pass, so that what waits acts, if it may. */
  goOn(): Promise<void>;
  hasActed(): Promise<boolean>;
  waitsForPerson?(): Promise<boolean>;
}

const pass = async (minutes: number) => {
  for (let minute = 0; minute < minutes; minute++) {
    await passMinutes(server(), 1);
    await server().app.service.expiries.runDue();
    await server().app.service.stepDowns.runDue();
    await server().app.service.schedules.runDue();
    await server().app.service.actions.settled();
    await server().app.service.deliveries.idle();
  }
};
const goOn = () => pass(2);
const isUndecided = ({ decideBy }: { readonly decideBy: string | null }) => decideBy !== null;
const holds = async (params: FlagEnvironmentParams) =>
  (await server().admin.call(`GET ${flagPath}/leases`, { params })).json.leases.length as number;
const alert = (place: ActionPlace, status: 'firing' | 'resolved') =>
  signal(server(), place, { status, alerts: [{ status, fingerprint: 'a1', startsAt: '2026-01-01T00:00:00Z' }] });

async function holdingSet() {
  const place = await givenAlertPlace(server());
  const set = await givenSet(server(), holdingAlerts(place, { params: { minutes: 600 } }), place);
  return { place, set, flag: place.flag, endpoint: place.endpoint };
}

/** Returns an automation that no signal starts. */
async function withoutSignals(flag: FlagEnvironmentParams, parts: Omit<Automation, 'flag' | 'endpoint' | 'goOn'>) {
  const { endpoint } = await givenAlertPlace(server());
  return { flag, endpoint, goOn, ...parts };
}

/** Returns a plan of which a safeguard looks at errors, and the way to report them. */
async function guarded(holdAt?: string) {
  const name = metricNamed('failed');
  const sdk = await givenSdk(server(), { environment: 'development' });
  startMinute(server());
  const errors = async (value: number, minutes = 3) => {
    for (let minute = 0; minute < minutes; minute++) {
      const impactMetrics = [{ name, help: 'failed', type: 'counter', samples: [{ value }] }];
      const body = { appName: 'shop', instanceId: 'i', bucket: null, impactMetrics };
      await sdk.call('POST /api/client/metrics', { body });
      await server().app.service.impactMetrics.flush();
      await server().app.service.usage.flush();
      await pass(1);
    }
  };
  await errors(0, 1);
  const { params } = await givenPlan(server(), [rolloutTo(10), rolloutTo(50), rolloutTo(100)]);
  const safeguard = moreThan(10, `unleash_counter_${name}`);
  await setSafeguard(server(), params, holdAt === undefined ? safeguard : { ...safeguard, holdAt });
  return { params, errors };
}

const automations: Readonly<Record<AutomationKind, () => Promise<Automation>>> = {
  'hold by an action': async () => {
    const { place, set, flag, endpoint } = await holdingSet();
    return {
      ...{ flag, endpoint, goOn },
      act: async () => void (await alert(place, 'firing')),
      hasActed: async () => (await holds(flag)) === 1,
      waitsForPerson: async () => (await runsOf(server(), set))[0].decideBy !== null,
    };
  },
  'waiting hold': async () => {
    const place = await givenAlertPlace(server());
    const flag = await givenFlagIn(server(), 'development', place.projectId);
    const set = { guards: { flagsPerHour: 1 }, allow: { flags: ['*'], tags: [], environments: [] } };
    const params = { featureName: '{{item.flag}}', minutes: 600 };
    const { id, projectId } = await givenSet(server(), holdingAlerts(place, { params, set }), place);
    const send = (status: string, { featureName }: FlagEnvironmentParams) =>
      signal(server(), place, { status, alerts: [{ status, fingerprint: featureName, flag: featureName }] });
    await send('firing', place.flag);
    await send('firing', flag);
    await send('resolved', place.flag);
    return {
      ...{ flag, endpoint: place.endpoint, goOn },
      act: () => pass(70),
      hasActed: async () => (await holds(flag)) === 1,
      waitsForPerson: async () => (await runsOf(server(), { id, projectId })).some(isUndecided),
    };
  },
  'release by an action': async () => {
    const { place, flag, endpoint } = await holdingSet();
    await alert(place, 'firing');
    return {
      ...{ flag, endpoint, goOn },
      act: async () => void (await alert(place, 'resolved')),
      hasActed: async () => (await holds(flag)) === 0,
    };
  },
  'change by an action': async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), { actions: [turning('OFF', place.projectId, place.flag.featureName)] }, place);
    return {
      ...{ flag: place.flag, endpoint: place.endpoint, goOn },
      act: async () => void (await alert(place, 'firing')),
      hasActed: async () => !(await isOn(server(), place.flag)),
    };
  },
  'call by an action': async () => {
    const place = await givenAlertPlace(server());
    const path = `/${freshName('call')}`;
    receiver().answer(path, 503);
    await givenSet(server(), { actions: [calling(place, receiver().url + path)] }, place);
    // The first attempt fails, so that a retry is due under the stop.
    await alert(place, 'firing');
    const before = receiver().received.filter((call) => call.path === path).length;
    return {
      ...{ flag: place.flag, endpoint: place.endpoint, goOn },
      act: goOn,
      hasActed: async () => receiver().received.filter((call) => call.path === path).length > before,
    };
  },
  'hold steps down': async () => {
    const place = await givenAlertPlace(server());
    const milestones = [rolloutTo(10), rolloutTo(50), rolloutTo(100)];
    const { params, milestoneIds } = await givenPlan(server(), milestones, place.flag, { stepDownMinutes: 1 });
    const start =
      `POST ${flagPath}/environments/:environment/release-plans/:planId/milestones/:milestoneId/start` as const;
    await server().admin.call(start, { params: { ...params, milestoneId: String(milestoneIds[2]) } });
    await givenSet(server(), holdingAlerts(place, { params: { effect: 'milestone' } }), place);
    await alert(place, 'firing');
    const isAt = async () => {
      const { leases } = (await server().admin.call(`GET ${flagPath}/leases`, { params })).json;
      return leases[0].milestone?.id;
    };
    expect(await isAt()).toBe(milestoneIds[1]);
    return {
      ...{ flag: place.flag, endpoint: place.endpoint, goOn },
      act: goOn,
      hasActed: async () => (await isAt()) !== milestoneIds[1],
    };
  },
  'end of a hold': async () => {
    const flag = await givenEnabled(server());
    const expiresAt = new Date(server().clock.now() + minuteMs).toISOString();
    await givenHold(server(), flag, { effect: 'off', expiresAt });
    return withoutSignals(flag, { act: goOn, hasActed: async () => (await holds(flag)) === 0 });
  },
  'plan step': async () => {
    const { params, milestoneIds } = await givenPlan(server(), [rolloutTo(10, 2), rolloutTo(50)]);
    const hasActed = async () => (await planOf(server(), params)).activeMilestoneId === milestoneIds[1];
    return withoutSignals(params, { act: goOn, hasActed });
  },
  'safeguard holds': async () => {
    const { params, errors } = await guarded('off');
    return withoutSignals(params, { act: () => errors(20), hasActed: async () => (await holds(params)) === 1 });
  },
  'safeguard pauses': async () => {
    const { params, errors } = await guarded();
    const hasActed = async () => (await planOf(server(), params)).progress.state === 'paused';
    return withoutSignals(params, { act: () => errors(20), hasActed });
  },
  'safeguard releases': async () => {
    const { params, errors } = await guarded('off');
    await errors(20);
    return withoutSignals(params, { act: () => errors(0, 8), hasActed: async () => (await holds(params)) === 0 });
  },
  'scheduled change request': async () => {
    const { params } = await givenScheduled(server(), { inMs: minuteMs });
    return withoutSignals(params, { act: goOn, hasActed: () => isOn(server(), params) });
  },
  'end of an override': async () => {
    const flag = await givenEnabled(server());
    await override(server(), flag, { endsAt: new Date(server().clock.now() + minuteMs).toISOString() });
    return withoutSignals(flag, { act: goOn, hasActed: async () => !(await isOverridden(flag)) });
  },
};

const isOverridden = async ({ featureName }: FlagEnvironmentParams) =>
  (await server().admin.call('GET /api/admin/now')).json.overrides.some(
    (each: { featureName: string }) => each.featureName === featureName,
  );
const enableEndpoint = ({ endpoint: { id, name } }: Automation, enabled: boolean) =>
  server().admin.call('PUT /api/admin/signal-endpoints/:id', {
    params: { id },
    body: { name, source: 'alertmanager', enabled, whenDisabled: 'keep' },
  });

const inForce: Readonly<Record<Stop, (automation: Automation, begins: boolean) => Promise<unknown>>> = {
  freeze: (_, begins) => freeze(server(), begins),
  maintenance: (_, begins) => maintain(server(), begins),
  override: async ({ flag }, begins) => {
    if (!begins) return endOverride(server(), flag);
    if (!(await isOverridden(flag))) await override(server(), flag);
  },
  'endpoint disabled': (automation, begins) => enableEndpoint(automation, !begins),
};

async function observe(kind: AutomationKind, stop: Stop): Promise<Rule> {
  const automation = await automations[kind]();
  await inForce[stop](automation, true);
  await automation.act();
  await server().app.service.alerts.settled();
  const actedUnderIt = await automation.hasActed();
  await inForce[stop](automation, false);
  if (actedUnderIt) return 'acts';
  if (await automation.waitsForPerson?.()) return 'waits for a person';
  await automation.goOn();
  return (await automation.hasActed()) ? 'waits' : 'is skipped';
}

describe.each(Object.keys(rules) as AutomationKind[])('%s', (kind) => {
  it.each(stops)('keeps its rule under: %s', async (stop) => {
    const rule = rules[kind][stop];
    // These automations take the flag from users, so they act where they may only lower.
    expect(await observe(kind, stop)).toBe(rule === 'lowers' ? 'acts' : rule);
  });
});
