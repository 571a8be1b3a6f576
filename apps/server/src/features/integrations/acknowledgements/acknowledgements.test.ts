import { attentionKinds, attentionSubject } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenMember, givenRole, giveRoles } from '#testing/access.ts';
import { givenRunHold, givenSet, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { givenEnabled, givenProject } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { givenStuck, passMinutes, planOf } from '#testing/release-plans.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { freeze } from '#testing/stops.ts';
import { acknowledgementScenarios } from './acknowledgements.scenarios.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const memberRole = 5;
const list = 'GET /api/admin/acknowledgements';
const set = 'POST /api/admin/acknowledgements';

const acknowledge = (subjects: readonly string[], { client }: Pick<Caller, 'client'> = { client: server().admin }) =>
  client.call(set, { body: { subjects } });
const withdraw = (subjects: readonly string[]) => server().admin.call(set, { body: { subjects, acknowledged: false } });
const shown = async (client = server().admin) =>
  (await client.call(list)).json.acknowledgements as { readonly subject: string; readonly by: string; at: string }[];
const shownAs = async (subject: string, client?: Caller['client']) =>
  (await shown(client)).find((one) => one.subject === subject);

/** Makes automation leave something of each kind for a person. Returns its subject. */
const given: Readonly<Record<(typeof attentionKinds)[number], () => Promise<string>>> = {
  hold: async () => attentionSubject.hold(await heldByRun()),
  run: async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), holdingAlerts(place), place);
    await freeze(server(), true);
    await signal(server(), place, firing('waits'));
    await freeze(server(), false);
    const { undecided } = (await server().admin.call('GET /api/admin/now')).json;
    return attentionSubject.run(undecided[0].runId);
  },
  plan: async () => {
    const { params } = await givenStuck(server());
    await passMinutes(server(), 1);
    const { id, milestones } = await planOf(server(), params);
    return attentionSubject.plan(id, milestones[0].pausedAt);
  },
  alert: async () => {
    const place = await givenAlertPlace(server());
    await signal(server(), place, firing('unheard'));
    await server().app.service.alerts.settled();
    const { alertsWithoutEffect } = (await server().admin.call('GET /api/admin/now')).json;
    const { signalEndpointId, since, fingerprint } = alertsWithoutEffect[0];
    return attentionSubject.alert(signalEndpointId, since, fingerprint);
  },
};

/** Has a run hold a flag. Returns the id of the hold. */
async function heldByRun(): Promise<number> {
  const { featureName } = await givenRunHold(server());
  const { leases } = (await server().admin.call('GET /api/admin/leases')).json;
  return leases.find((lease: { readonly featureName: string }) => lease.featureName === featureName).id;
}

const firing = (fingerprint: string) => ({
  status: 'firing',
  alerts: [{ status: 'firing', fingerprint, startsAt: '2026-01-01T00:00:00Z' }],
});

describe.each(attentionKinds)('what automation left: a %s', (kind) => {
  it('shows who looks after it, to everyone who sees it, until it is withdrawn', async () => {
    const subject = await given[kind]();
    const onCall = await givenCaller(server(), 'On call');
    expect((await acknowledge([subject], onCall)).status).toBe(200);
    expect(await shownAs(subject)).toMatchObject({ by: onCall.name, at: expect.any(String) });
    expect((await withdraw([subject])).status).toBe(200);
    expect(await shownAs(subject)).toBeUndefined();
  });

  it('is not acknowledged by who may change nothing', async () => {
    const subject = await given[kind]();
    const viewer = await givenCaller(server(), 'Viewer');
    expect([403, 404]).toContain((await acknowledge([subject], viewer)).status);
    expect(await shownAs(subject)).toBeUndefined();
  });
});

it.each(['hold', 'run', 'plan'] as const)('a %s is not acknowledged by a member of another project', async (kind) => {
  const subject = await given[kind]();
  const member = await givenMember(server(), await givenProject(server()), memberRole);
  expect([403, 404]).toContain((await acknowledge([subject], member)).status);
  expect(await shownAs(subject)).toBeUndefined();
});

describe('a caller with the rights of one place only', () => {
  const deciding = [{ name: 'READ_ACTIONS' }, { name: 'OVERRIDE_AUTOMATION' }];

  /** Creates a caller who may decide in a project, and whose root role has only these permissions. */
  async function decider(project: string, rootPermissions: readonly string[]): Promise<Caller> {
    const permissions = rootPermissions.map((name) => ({ name }));
    const root = await givenRole(server(), { type: 'root-custom', permissions });
    const caller = await givenCaller(server(), root.id);
    const { id } = await givenRole(server(), { permissions: deciding });
    await giveRoles(server(), project, [id], { users: [caller.id] });
    return caller;
  }

  it('acknowledges a run of that project, and sees it', async () => {
    const subject = await given.run();
    const { undecided } = (await server().admin.call('GET /api/admin/now')).json;
    const caller = await decider(undecided[0].project, []);
    expect((await acknowledge([subject], caller)).status).toBe(200);
    expect(await shownAs(subject, caller.client)).toMatchObject({ by: caller.name });
  });

  it('acknowledges an alert, which belongs to no project, and not without READ_SIGNALS', async () => {
    const subject = await given.alert();
    const project = await givenProject(server());
    const [reader, blind] = [await decider(project, ['READ_SIGNALS']), await decider(project, [])];
    expect((await acknowledge([subject], blind)).status).toBe(404);
    expect((await acknowledge([subject], reader)).status).toBe(200);
    expect(await shownAs(subject, reader.client)).toMatchObject({ by: reader.name });
    expect(await shownAs(subject, blind.client)).toBeUndefined();
  });
});

it.each([
  ['hold', true],
  ['plan', true],
  ['run', false],
  ['alert', false],
] as const)('the event about a %s names its flag: %s', async (kind, isOfFlag) => {
  const subject = await given[kind]();
  expect((await acknowledge([subject])).status).toBe(200);
  const query = { type: 'IS:automation-acknowledged', limit: 1 };
  const [event] = (await server().admin.call('GET /api/admin/search/events', { query })).json.events;
  const [item] = event.data.items;
  expect([item.subject, event.featureName]).toEqual([subject, isOfFlag ? item.name : null]);
});

describe('routes of acknowledgements', () => testScenarios(server, acknowledgementScenarios));

describe('an acknowledgement', () => {
  it('changes hands, and records each change once', async () => {
    const subject = await given.hold();
    const onCall = await givenCaller(server(), 'On call');
    await acknowledge([subject]);
    await acknowledge([subject], onCall);
    await acknowledge([subject], onCall);
    await withdraw([subject]);
    await withdraw([subject]);
    const { json } = await server().admin.call('GET /api/admin/search/events', {
      query: { type: 'IS_ANY_OF:automation-acknowledged,automation-acknowledgement-withdrawn', limit: 3 },
    });
    expect(json.events.map(({ type }: { type: string }) => type)).toEqual([
      'automation-acknowledgement-withdrawn',
      'automation-acknowledged',
      'automation-acknowledged',
    ]);
    expect(json.events[1]).toMatchObject({
      createdBy: onCall.name,
      data: { items: [{ subject, kind: 'hold' }], total: 1 },
    });
  });

  it('is for all subjects or, when one has ended, for none', async () => {
    const [subject, other] = [await given.hold(), attentionSubject.hold(999_999)];
    expect((await acknowledge([subject, other])).status).toBe(404);
    expect(await shownAs(subject)).toBeUndefined();
  });

  it('is not for the hold of a person, who looks after it anyway', async () => {
    const { id } = await givenHold(server(), await givenEnabled(server()));
    expect((await acknowledge([attentionSubject.hold(id)])).status).toBe(404);
  });

  it('is hidden with its project', async () => {
    const subject = await given.hold();
    const [{ project }] = (await server().admin.call('GET /api/admin/leases')).json.leases;
    const body = { name: project, mode: 'private' };
    await server().admin.call('PUT /api/admin/projects/:projectId', { params: { projectId: project }, body });
    await acknowledge([subject]);
    const outside = await givenCaller(server(), 'Editor');
    expect(await shownAs(subject, outside.client)).toBeUndefined();
    expect((await acknowledge([subject], outside)).status).toBe(404);
    const member = await givenMember(server(), project, memberRole);
    expect(await shownAs(subject, member.client)).toBeDefined();
  });
});
