import { gateNames } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { givenGroup, givenMember, givenRole, giveRoles } from '#testing/access.ts';
import { runsOf, signal } from '#testing/actions.ts';
import { givenPerson } from '#testing/break-glass.ts';
import { type FlagEnvironmentParams, givenEnabled, givenProject } from '#testing/flags.ts';
import { givenHold, releaseHold } from '#testing/holds.ts';
import { errorsBelow, reportErrors } from '#testing/impact-metrics.ts';
import {
  approve,
  approving,
  evaluate,
  type GivenPlan,
  givenApprovingSet,
  givenPlan,
  passMinutes,
  planOf,
  rolloutTo,
  servedPercentages,
} from '#testing/release-plans.ts';
import { moreThan, setSafeguard } from '#testing/safeguards.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

const percentages = (params: FlagEnvironmentParams) => servedPercentages(server(), params);
const progressOf = async (params: FlagEnvironmentParams) => (await planOf(server(), params)).progress;

const pass = (minutes: number) => passMinutes(server(), minutes);

/** Lets time pass until the next full hour. */
async function passToFullHour(): Promise<void> {
  await pass((hourMs - (server().clock.now() % hourMs)) / minuteMs);
}

/** Adds a plan of 10, 50 and 100 % whose first milestones last for an hour and have these gates. */
async function givenGated(gates: object, projectId?: string): Promise<GivenPlan> {
  const gated = (share: number) => ({ ...rolloutTo(share), transitionCondition: { intervalMinutes: 60, ...gates } });
  const flag = await givenEnabled(server(), projectId ?? (await givenProject(server())));
  return givenPlan(server(), [gated(10), gated(50), rolloutTo(100)], flag);
}

/** A gate: its condition, its text while the other gates are open, and what opens it. */
interface GateCase {
  readonly gates: () => object | Promise<object>;
  readonly prepare?: (plan: GivenPlan) => Promise<unknown>;
  readonly text: unknown;
  readonly open: (plan: GivenPlan) => Promise<unknown>;
}

const cases: Readonly<Record<(typeof gateNames)[number], GateCase>> = {
  time: { gates: () => ({ intervalMinutes: 90 }), text: '30 more minutes at this milestone', open: () => pass(30) },
  hours: {
    // The hours are two hours long and begin three hours from now, in UTC.
    gates: () => {
      const clockIn = (ms: number) => new Date(server().clock.now() + ms).toISOString().slice(11, 16);
      const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
      return { hours: { days, from: clockIn(3 * hourMs), to: clockIn(5 * hourMs), timeZone: 'UTC' } };
    },
    text: expect.stringMatching(/^Only from ..:.. to ..:.. on Monday, .* \(UTC\)$/),
    open: () => pass(120),
  },
  evaluations: {
    gates: () => ({ evaluations: 1000 }),
    text: expect.stringMatching(/^312 of 1000 evaluations, counted from .+ ..:00 UTC on$/),
    open: async ({ params }) => {
      await evaluate(server(), params, { yes: 600, no: 88 });
      await pass(1);
    },
  },
  metric: {
    gates: async () => {
      await reportErrors(server(), 1);
      return { metric: errorsBelow(5) };
    },
    text: 'No data of unleash_counter_gate_errors (count)',
    open: async () => {
      await reportErrors(server(), 4);
      await pass(2);
    },
  },
  approval: {
    gates: () => ({ approval: { by: 'person' } }),
    text: 'Waits for the approval of a person',
    open: async (plan) => {
      await approve(server(), plan);
      await pass(0);
    },
  },
  safeguard: {
    gates: async () => {
      await reportErrors(server(), 1);
      return {};
    },
    prepare: ({ params }) => setSafeguard(server(), params, moreThan(10, 'unleash_counter_gate_errors')),
    text: 'Waits for a first value of unleash_counter_gate_errors (count)',
    open: async () => {
      await reportErrors(server(), 4);
      for (let minute = 0; minute < 3; minute++) await pass(1);
    },
  },
};

describe('each gate', () => {
  it.each(gateNames)(
    '%s: says why it is closed, and lets the next milestone start once when it opens',
    async (gate) => {
      await passToFullHour();
      const { gates, prepare, text, open } = cases[gate];
      const plan = await givenGated(await gates());
      await prepare?.(plan);
      const { params } = plan;
      await evaluate(server(), params, { yes: 300, no: 12 });
      await pass(60);
      expect(await progressOf(params)).toMatchObject({ waitsFor: [{ gate, text }] });
      expect(await percentages(params)).toEqual(['10']);
      await open(plan);
      expect(await percentages(params)).toEqual(['50']);
      await pass(0);
      expect(await percentages(params)).toEqual(['50']);
    },
  );

  it('is needed: the next milestone starts when the last of them opens', async () => {
    await passToFullHour();
    const plan = await givenGated({ evaluations: 10, approval: { by: 'person' } });
    const { params } = plan;
    expect((await progressOf(params)).waitsFor).toMatchObject([
      { gate: 'time', text: '60 more minutes at this milestone' },
      { gate: 'evaluations', text: expect.stringContaining('0 of 10 evaluations') },
      { gate: 'approval' },
    ]);
    await approve(server(), plan);
    await pass(60);
    expect(await progressOf(params)).toMatchObject({
      state: 'gated',
      nextAt: null,
      waitsFor: [{ gate: 'evaluations' }],
    });
    await pass(600);
    await evaluate(server(), params, { yes: 10, no: 0 });
    await pass(1);
    expect(await percentages(params)).toEqual(['50']);
  });
});

describe('the evaluations of a milestone', () => {
  it('are those of clock hours that began after it started, in its environment', async () => {
    await passToFullHour();
    await pass(1);
    const { params } = await givenGated({ evaluations: 5 });
    await evaluate(server(), params, { yes: 100, no: 0 });
    await pass(59);
    await evaluate(server(), { ...params, environment: 'production' }, { yes: 100, no: 0 });
    expect((await progressOf(params)).waitsFor).toMatchObject([
      { gate: 'time' },
      { text: expect.stringContaining('0 of 5 evaluations') },
    ]);
    await evaluate(server(), params, { yes: 3, no: 1 });
    await pass(10);
    expect((await progressOf(params)).waitsFor).toEqual([
      { gate: 'evaluations', text: expect.stringContaining('4 of 5 evaluations') },
    ]);
  });

  it('are those of whole days when the hours are kept no longer', async () => {
    const { params } = await givenGated({ evaluations: 1000 });
    await pass(1440);
    await evaluate(server(), params, { yes: 7, no: 0 });
    for (let days = 0; days < 5; days++) await pass(1440);
    expect((await progressOf(params)).waitsFor).toMatchObject([
      { text: expect.stringContaining('7 of 1000 evaluations') },
    ]);
  });
});

describe('the approval of a milestone', () => {
  it('counts before the time is over, and only for the milestone that was approved', async () => {
    const plan = await givenGated({ approval: { by: 'person' } });
    const { params } = plan;
    const { id } = await givenPerson(server(), params.projectId, [4]).then(async (person) => {
      await approve(server(), plan, 0, person);
      return person;
    });
    expect((await planOf(server(), params)).milestones[0]).toMatchObject({
      approvedAt: expect.any(String),
      approvedByUserId: id,
    });
    expect(await percentages(params)).toEqual(['10']);
    await pass(60);
    expect(await percentages(params)).toEqual(['50']);
    await pass(600);
    expect((await progressOf(params)).waitsFor).toMatchObject([{ gate: 'approval' }]);
  });

  it('starts the next milestone once, and at once when the other gates are open', async () => {
    const plan = await givenGated({ approval: { by: 'person' } });
    await pass(70);
    const before = await lastEventId(server());
    await approve(server(), plan);
    await approve(server(), plan);
    await pass(0);
    await pass(5);
    expect(await eventsAfter(server(), before)).toMatchObject([
      { type: 'release-plan-milestone-approved', data: { milestoneName: '10 %', by: 'person' } },
      { type: 'release-plan-milestone-started', data: { milestoneName: '50 %', trigger: 'time' } },
    ]);
  });

  it('is forgotten when the milestone starts anew: by hand, or because a hold ended', async () => {
    const plan = await givenGated({ approval: { by: 'person' } });
    const { params, milestoneIds } = plan;
    await approve(server(), plan);
    await server().admin.call(`POST ${environment}/release-plans/:planId/milestones/:milestoneId/start`, {
      params: { ...params, milestoneId: milestoneIds[0] ?? '' },
    });
    expect((await planOf(server(), params)).milestones[0].approvedAt).toBeNull();
    await approve(server(), plan);
    const hold = await givenHold(server(), params);
    await releaseHold(server(), params, hold.id);
    expect((await planOf(server(), params)).milestones[0].approvedAt).toBeNull();
    await pass(60);
    expect((await progressOf(params)).waitsFor).toMatchObject([{ gate: 'approval' }]);
  });

  it('is kept while the plan is paused or the flag is off, and when only the time changes', async () => {
    const plan = await givenGated({ approval: { by: 'person' } });
    const { params, milestoneIds } = plan;
    await approve(server(), plan);
    await server().admin.call(`POST ${environment}/off`, { params });
    await server().admin.call(`POST ${environment}/on`, { params });
    await server().admin.call(`POST ${environment}/progressions/:planId/pause`, { params });
    await server().admin.call(`POST ${environment}/progressions/:planId/resume`, { params });
    const change = (transitionCondition: object) =>
      server().admin.call(`PUT ${environment}/progressions/:id`, {
        params: { ...params, id: milestoneIds[0] ?? '' },
        body: { transitionCondition },
      });
    await change({ intervalMinutes: 90, approval: { by: 'person' } });
    expect((await planOf(server(), params)).milestones[0].approvedAt).toEqual(expect.any(String));
    await change({ intervalMinutes: 90, approval: { by: 'person', role: 4 } });
    expect((await planOf(server(), params)).milestones[0].approvedAt).toBeNull();
  });

  it('needs the role of the gate: of the project, of the instance, or of a group', async () => {
    const projectId = await givenProject(server());
    const { id: role, name } = await givenRole(server());
    const ofProject = await givenGated({ approval: { by: 'person', role } }, projectId);
    const owner = await givenPerson(server(), projectId, [4]);
    const elsewhere = await givenProject(server());
    await giveRoles(server(), elsewhere, [role], { users: [owner.id] });
    const refused = await approve(server(), ofProject, 0, owner);
    expect(refused.status).toBe(403);
    expect(refused.json.message).toBe(`You need the role ${name} to approve this milestone.`);
    expect((await progressOf(ofProject.params)).waitsFor[1].text).toBe(
      `Waits for the approval of a person with the role ${name}`,
    );
    const manager = await givenPerson(server(), projectId, [4]);
    const group = await givenGroup(server(), [manager.id]);
    await giveRoles(server(), projectId, [role], { groups: [group.id] });
    expect((await approve(server(), ofProject, 0, manager)).status).toBe(200);
    const ofInstance = await givenGated({ approval: { by: 'person', role: 2 } }, projectId);
    expect((await approve(server(), ofInstance, 0, manager)).status).toBe(403);
    const editor = await givenPerson(server(), projectId, [], 'Editor');
    expect((await approve(server(), ofInstance, 0, editor)).status).toBe(200);
    const member = await givenMember(server(), projectId, role);
    const withoutPermission = await member.client.call(approving, {
      params: { ...ofProject.params, milestoneId: ofProject.milestoneIds[0] ?? '' },
    });
    expect(withoutPermission.status).toBe(403);
  });
});

describe('the approval by an action', () => {
  const skipped = async (plan: GivenPlan, more: object = {}) => {
    const set = await givenApprovingSet(server(), plan.params, more);
    await signal(server(), set);
    return (await runsOf(server(), set))[0];
  };

  it('starts the next milestone when a signal says so, and no person can give it', async () => {
    const plan = await givenGated({ approval: { by: 'action' } });
    const { params } = plan;
    expect(await approve(server(), plan)).toMatchObject({ status: 409 });
    await pass(60);
    expect((await progressOf(params)).waitsFor).toEqual([
      { gate: 'approval', text: 'Waits for the approval of an action' },
    ]);
    const set = await givenApprovingSet(server(), params);
    await signal(server(), set);
    const [run] = await runsOf(server(), set);
    expect(run).toMatchObject({
      state: 'success',
      actionSet: { actions: [{ changes: [{ type: 'release-plan-milestone-approved' }] }] },
    });
    expect((await planOf(server(), params)).milestones[0].approvedByUserId).toBe(set.actorId);
    await pass(0);
    expect(await percentages(params)).toEqual(['50']);
  });

  it('changes nothing in shadow mode', async () => {
    const plan = await givenGated({ approval: { by: 'action' } });
    const set = await givenApprovingSet(server(), plan.params, {}, { shadow: true });
    await signal(server(), set);
    await pass(60);
    expect(await percentages(plan.params)).toEqual(['10']);
  });

  it('is skipped with the reason where no milestone waits for it', async () => {
    const plan = await givenGated({ approval: { by: 'person' } });
    const forPerson = 'The milestone 10 % waits for the approval of a person, not of an action.';
    expect(await skipped(plan)).toMatchObject({ state: 'skipped', reason: forPerson });
    const timed = await givenGated({});
    expect(await skipped(timed)).toMatchObject({
      state: 'skipped',
      reason: 'The milestone 10 % waits for no approval.',
    });
    const waiting = await givenGated({ approval: { by: 'action' } });
    expect(await skipped(waiting, { milestone: '50 %' })).toMatchObject({
      state: 'skipped',
      reason: 'The release plan Release gradually is at the milestone 10 %, not at 50 %.',
    });
    expect(await skipped(waiting, { milestone: '10 %' })).toMatchObject({ state: 'success' });
    expect(await skipped(waiting)).toMatchObject({
      state: 'skipped',
      reason: 'The milestone 10 % is approved already.',
    });
    await server().admin.call(`DELETE ${environment}/release-plans/:planId`, { params: waiting.params });
    expect((await skipped(waiting)).reason).toBe(
      `The flag ${waiting.params.featureName} has no release plan in development.`,
    );
  });

  it('waits for the end of a hold', async () => {
    const plan = await givenGated({ approval: { by: 'action' } });
    await givenHold(server(), plan.params);
    expect((await skipped(plan)).reason).toMatch(
      /^The flag is held\. When the hold ends, the milestone 10 % starts anew/,
    );
  });
});

describe('a gate that can never open', () => {
  it('is refused when a plan, a template or a time is saved', async () => {
    const condition = { intervalMinutes: 60, approval: { by: 'person', role: 987_654 } };
    const milestones = [{ ...rolloutTo(10), transitionCondition: condition }, rolloutTo(100)];
    const plan = await givenGated({});
    const at = { ...plan.params, id: plan.milestoneIds[0] ?? '' };
    const refused = [
      await server().admin.call(`POST ${environment}/release-plans`, {
        params: await givenEnabled(server()),
        body: { milestones },
      }),
      await server().admin.call('POST /api/admin/release-plan-templates', { body: { name: 'Never', milestones } }),
      await server().admin.call(`PUT ${environment}/progressions/:id`, {
        params: at,
        body: { transitionCondition: condition },
      }),
    ];
    const path = 'transitionCondition.approval.role';
    expect(refused.map(({ status, json }) => [status, json.details?.[0].path])).toEqual([
      [400, `milestones.0.${path}`],
      [400, `milestones.0.${path}`],
      [400, path],
    ]);
  });

  it('is one that waits for an action and a role', async () => {
    const body = {
      milestones: [
        { ...rolloutTo(10), transitionCondition: { intervalMinutes: 1, approval: { by: 'action', role: 4 } } },
      ],
    };
    const reply = await server().admin.call('POST /api/admin/release-plan-templates', {
      body: { name: 'Both', ...body },
    });
    expect(reply.status).toBe(400);
  });
});

it('a plan that waits for an approval says so when the role was deleted', async () => {
  const { id: role } = await givenRole(server());
  const { params } = await givenGated({ approval: { by: 'person', role } });
  await server().admin.call('DELETE /api/admin/roles/:roleId', { params: { roleId: role } });
  expect((await progressOf(params)).waitsFor[1].text).toBe(
    `Waits for the approval of a person with the role ${role}, which was deleted`,
  );
});
