import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setRootRole } from '#testing/access.ts';
import { type ActionPlace, givenSet, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { type FlagEnvironmentParams, givenEnabled, givenProject } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { metricNamed } from '#testing/impact-metrics.ts';
import { givenIntegration } from '#testing/integrations.ts';
import { givenPlan, passMinutes } from '#testing/release-plans.ts';
import { moreThan, safeguardsOf, setSafeguard } from '#testing/safeguards.ts';
import { useServer } from '#testing/server.ts';
import { givenExpecting } from '#testing/silence.ts';
import { useSlack } from '#testing/slack.ts';

// A thread of messages is open while its subject is. When the subject is deleted, nothing else would close the thread.

const server = useServer({ allowPrivateIntegrationUrls: true, signalEndpointsLimit: 100, actionSetsLimit: 100 });
const slack = useSlack();
const place = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
let integrationId: number;

beforeEach(() => void slack().messages.splice(0));
afterEach(() => server().admin.call('DELETE /api/admin/addons/:id', { params: { id: integrationId } }));

const pass = async (minutes: number) => {
  for (let minute = 0; minute < minutes; minute++) await passMinutes(server(), 1);
};
const call = async (route: string, params: object, body?: object) => {
  const { status, text } = await server().admin.call(route as 'DELETE /api/admin/addons/:id', {
    params: params as { id: string },
    ...(body === undefined ? {} : { body: body as never }),
  });
  expect(status, text).toBeLessThan(300);
};

/** The ways to delete the flag of a thread, or to take it out of its environment. */
const ofFlag = {
  'its flag is archived and deleted': async (flag: FlagEnvironmentParams) => {
    await call('DELETE /api/admin/projects/:projectId/features/:featureName', flag);
    await call('DELETE /api/admin/archive/:featureName', flag);
  },
  'its project no longer uses the environment': async (flag: FlagEnvironmentParams) => {
    await call(`POST ${place}/off`, flag);
    await call('DELETE /api/admin/projects/:projectId/environments/:environment', flag);
  },
};

const inProject = async () => givenEnabled(server(), await givenProject(server()));

async function givenHeldByAlert(): Promise<ActionPlace & { readonly setId: number }> {
  const alerting = await givenAlertPlace(server());
  const { id } = await givenSet(server(), holdingAlerts(alerting), alerting);
  await alert(alerting);
  return { ...alerting, setId: id };
}

async function alert(at: ActionPlace): Promise<void> {
  await signal(server(), at, { status: 'firing', alerts: [{ status: 'firing', fingerprint: 'a', labels: {} }] });
  await server().app.service.alerts.settled();
}

async function givenBlind(owner: 'plan' | 'flag') {
  const flag = await inProject();
  const plan = owner === 'plan' ? (await givenPlan(server(), undefined, flag)).params : undefined;
  await setSafeguard(server(), plan ?? flag, moreThan(10, `unleash_counter_${metricNamed('none')}`));
  await pass(7);
  const [safeguard] = await safeguardsOf(server(), flag);
  return { ...flag, planId: plan?.planId ?? '', safeguardId: safeguard.id };
}

async function givenOverridden() {
  const flag = await inProject();
  await call(`PUT ${place}/automation-override`, flag, { reason: 'Enough', endsAt: null });
  return flag;
}

const endpoint = ({ id }: { readonly id: number }) => call('DELETE /api/admin/signal-endpoints/:id', { id });

interface Cell<Given> {
  /** Begins the state. */
  readonly given: () => Promise<Given>;
  /** The ways to delete its subject. */
  readonly deletions: Readonly<Record<string, (given: Given) => Promise<void>>>;
}
const cell = <Given>(given: Cell<Given>['given'], deletions: Cell<Given>['deletions']) => ({ given, deletions });

const cells = {
  'feature-lease-placed': [
    cell(givenHeldByAlert, {
      'its flag is archived and deleted': ({ flag }) => ofFlag['its flag is archived and deleted'](flag),
      'its set is deleted, and then its hold released': async ({ projectId, setId, flag }) => {
        await call('DELETE /api/admin/projects/:projectId/actions/:id', { projectId, id: setId });
        const leases = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
        for (const { id } of (await server().admin.call(leases, { params: flag })).json.leases)
          await call(`DELETE ${place}/leases/:leaseId`, { ...flag, leaseId: id });
      },
    }),
    cell(async () => {
      const flag = await inProject();
      await givenHold(server(), flag);
      return flag;
    }, ofFlag),
  ],
  'feature-override-placed': [cell(givenOverridden, ofFlag)],
  'safeguard-no-data': [
    cell(() => givenBlind('flag'), {
      ...ofFlag,
      'it is deleted': (blind) => call(`DELETE ${place}/safeguards/:safeguardId`, blind),
    }),
    cell(() => givenBlind('plan'), {
      'it is deleted': (blind) => call(`DELETE ${place}/release-plans/:planId/safeguards/:safeguardId`, blind),
      'its plan is removed': (blind) => call(`DELETE ${place}/release-plans/:planId`, blind),
    }),
  ],
  'action-set-blocked': [
    cell(
      async () => {
        const set = await givenSet(server());
        await setRootRole(server(), set.actorId, 3);
        return set;
      },
      {
        'it is deleted': ({ projectId, id }) =>
          call('DELETE /api/admin/projects/:projectId/actions/:id', { projectId, id }),
      },
    ),
  ],
  'signal-endpoint-silent': [
    cell(
      async () => {
        const silent = await givenExpecting(server());
        await pass(7);
        return silent;
      },
      { 'it is deleted': endpoint },
    ),
  ],
  'alerts-without-effect': [
    cell(
      async () => {
        const alerting = await givenAlertPlace(server());
        await alert(alerting);
        await pass(3);
        return alerting.endpoint;
      },
      { 'it is deleted': endpoint },
    ),
  ],
  // No subject: the freeze is that of the instance.
  'automation-frozen': [],
} as const;

it('the cells are the kinds of events that begin a thread', () => {
  const source = readFileSync(new URL('./subject.ts', import.meta.url), 'utf8');
  const begins = [...source.matchAll(/'([\w-]+)': .*'begins'/g)].map(([, type]) => type);
  expect(begins.toSorted()).toEqual(Object.keys(cells).toSorted());
});

const walked = Object.entries(cells).flatMap(([type, kinds]) =>
  (kinds as readonly Cell<unknown>[]).flatMap(({ given, deletions }) =>
    Object.entries(deletions).map(([how, remove]) => [type, how, given, remove] as const),
  ),
);

it.each(walked)('a thread that %s began is closed when %s', async (type, _how, given, remove) => {
  const parameters = { accessToken: slack().token, defaultChannels: 'on-call', url: slack().url };
  const events = [...Object.keys(cells), ...ends];
  ({ id: integrationId } = await givenIntegration(server(), { provider: 'slack-app', parameters, events }));
  const state = await given();
  await server().app.service.deliveries.idle();
  const [thread, ...others] = slack().messages.filter(({ threadTs }) => threadTs === undefined);
  expect([type, others]).toEqual([type, []]);
  expect(thread?.blocks).not.toContain('Over');
  await remove(state);
  await server().app.service.deliveries.idle();
  expect(thread?.blocks).toContain('Over');
  expect(slack().messages.filter(({ threadTs }) => threadTs === thread?.ts)).toHaveLength(1);
});

const ends = [
  'feature-lease-released',
  'feature-override-ended',
  'safeguard-no-data-ended',
  'action-set-unblocked',
  'signal-endpoint-heard',
  'alerts-without-effect-ended',
];
