import { expect } from 'vitest';
import { givenArchived, givenEnabled, givenFlagIn, givenProject, givenStrategy } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { approving, givenPlan, givenTemplate, inThreeSteps, rolloutTo } from '#testing/release-plans.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const plans = `${environment}/release-plans` as const;
const plan = `${plans}/:planId` as const;
const milestone = `${plan}/milestones/:milestoneId/start` as const;
const progression = `${environment}/progressions/:id` as const;
const pause = `${environment}/progressions/:planId/pause` as const;
const resume = `${environment}/progressions/:planId/resume` as const;
const strategy = `${environment}/milestone-strategies/:strategyId` as const;

const started = 'release-plan-milestone-started' as const;
const ofTemplate = async (server: TestServer) => ({
  params: await givenEnabled(server),
  body: { templateId: (await givenTemplate(server)).id },
});
const given = async (server: TestServer) => ({ params: (await givenPlan(server)).params });
const atMilestone = (index: number) => async (server: TestServer) => {
  const { params, milestoneIds } = await givenPlan(server);
  return { params: { ...params, milestoneId: milestoneIds[index] ?? 'none', id: milestoneIds[index] ?? 'none' } };
};
const atStrategy = (index: number, body: object) => async (server: TestServer) => {
  const { params, strategyIds } = await givenPlan(server);
  return { params: { ...params, strategyId: strategyIds[index] ?? 'none' }, body };
};
const minutes = (intervalMinutes: number) => ({ transitionCondition: { intervalMinutes } });

const furtherGates = {
  transitionCondition: { intervalMinutes: 60, evaluations: 1000, approval: { by: 'person', role: 4 } },
};
const gatedBy = (approval: object) => async (server: TestServer) => {
  const gated = { ...rolloutTo(10), transitionCondition: { intervalMinutes: 60, approval } };
  const { params, milestoneIds } = await givenPlan(server, [gated, rolloutTo(100)]);
  return { params: { ...params, milestoneId: milestoneIds[0] ?? '' } };
};

export const releasePlanScenarios: readonly Scenario[] = [
  {
    route: `POST ${plans}`,
    name: 'copies a template and starts its first milestone',
    given: ofTemplate,
    answer: {
      discriminator: 'plan',
      environment: 'development',
      milestones: [
        { name: '10 %', startedAt: expect.any(String), transitionCondition: { intervalMinutes: 60 } },
        { name: '50 %', startedAt: null },
        { name: '100 %', startedAt: null },
      ],
      progress: { state: 'running', elapsedMinutes: 0, reason: null },
    },
    check: ({ json }) => expect(json.activeMilestoneId).toBe(json.milestones[0].id),
    events: [
      { type: 'release-plan-added', environment: 'development' },
      { type: started, environment: 'development', data: { milestoneName: '10 %', trigger: 'added' } },
    ],
  },
  {
    route: `POST ${plans}`,
    name: 'removes the strategies of the flag when it is asked to',
    given: async (server) => ({
      params: await givenEnabled(server),
      body: { milestones: inThreeSteps, strategies: 'remove' },
    }),
    answer: { releasePlanTemplateId: null, name: 'Release plan' },
    events: [{ type: 'release-plan-added' }, { type: 'feature-strategy-remove' }, { type: started }],
  },
  ...refused(`POST ${plans}`, 409, {
    'refuses a second plan in the environment': async (server) => ({
      ...(await given(server)),
      body: { milestones: inThreeSteps },
    }),
  }),
  {
    route: `POST ${plans}`,
    name: 'copies a template of the project of the flag',
    given: async (server) => {
      const params = await givenEnabled(server);
      return { params, body: { templateId: (await givenTemplate(server, { project: params.projectId })).id } };
    },
    events: [{ type: 'release-plan-added' }, { type: started }],
  },
  ...refused(`POST ${plans}`, 404, {
    'answers 404 for an unknown template': async (server) => ({
      params: await givenEnabled(server),
      body: { templateId: 'none' },
    }),
  }),
  ...refused(`POST ${plans}`, 400, {
    'refuses a milestone without an active strategy, which would be on for everyone': async (server) => ({
      params: await givenEnabled(server),
      body: { milestones: [rolloutTo(10), { name: 'Empty', strategies: [{ name: 'default', disabled: true }] }] },
    }),
    'refuses a template together with milestones': async (server) => {
      const call = await ofTemplate(server);
      return { ...call, body: { ...call.body, milestones: inThreeSteps } };
    },
    'refuses an archived template': async (server) => {
      const call = await ofTemplate(server);
      await server.admin.call('POST /api/admin/release-plan-templates/archive/:templateId', { params: call.body });
      return call;
    },
    'refuses a template of another project': async (server) => {
      const { id } = await givenTemplate(server, { project: await givenProject(server) });
      return { params: await givenEnabled(server), body: { templateId: id } };
    },
    'refuses an archived flag': async (server) => ({
      params: { ...(await givenArchived(server)), environment: 'development' },
      body: { milestones: inThreeSteps },
    }),
  }),
  {
    route: `GET ${plans}`,
    name: 'lists the plan',
    as: 'viewer',
    given,
    answer: [{ milestones: [{}, {}, {}] }],
  },
  {
    route: `GET ${plans}`,
    name: 'is empty without a plan',
    given: async (server) => ({ params: await givenFlagIn(server) }),
    answer: [],
  },
  {
    route: `DELETE ${plan}`,
    name: 'removes the strategies of the plan, and switches off a flag that has no other',
    given,
    events: [{ type: 'release-plan-removed' }, { type: 'feature-environment-disabled', environment: 'development' }],
  },
  {
    route: `DELETE ${plan}`,
    name: 'lets the flag take over the strategies when it is asked to',
    given: async (server) => ({ ...(await given(server)), query: { strategies: 'keep' } }),
    events: [{ type: 'release-plan-removed' }],
  },
  {
    route: `POST ${milestone}`,
    name: 'starts any milestone, whose strategies replace those of the one before',
    given: atMilestone(2),
    answer: { name: '100 %', startedAt: expect.any(String) },
    events: [{ type: started, data: { milestoneName: '100 %', trigger: 'person' } }],
  },
  {
    route: `POST ${milestone}`,
    name: 'ends the shadow mode of a plan, whose strategies replace those of the flag',
    given: async (server) => {
      const { params, milestoneIds } = await givenPlan(server, undefined, undefined, { shadow: true });
      const query = { shadow: 'false', strategies: 'remove' };
      return { params: { ...params, milestoneId: milestoneIds[0] ?? 'none' }, query };
    },
    answer: { name: '10 %' },
    events: [{ type: 'feature-strategy-remove' }, { type: started, data: { trigger: 'person' } }],
  },
  {
    route: approving,
    name: 'approves the active milestone, which waits for it',
    given: gatedBy({ by: 'person' }),
    status: 200,
    answer: { name: '10 %', approvedAt: expect.any(String), approvedByUserId: expect.any(Number) },
    events: [{ type: 'release-plan-milestone-approved', data: { milestoneName: '10 %', by: 'person' } }],
  },
  {
    route: approving,
    name: 'records nothing when the milestone is approved already',
    given: async (server) => {
      const call = await gatedBy({ by: 'person' })(server);
      await server.admin.call(approving, call);
      return call;
    },
    status: 200,
  },
  ...refused(approving, 403, {
    'refuses a caller without the role of the gate, an administrator too': gatedBy({ by: 'person', role: 4 }),
  }),
  ...refused(approving, 409, {
    'refuses a milestone that waits for an action': gatedBy({ by: 'action' }),
    'refuses a milestone that is not active': atMilestone(1),
    'refuses a milestone that waits for time only': atMilestone(0),
    'refuses while the flag is held, because the milestone starts anew afterwards': async (server) => {
      const call = await gatedBy({ by: 'person' })(server);
      await givenHold(server, call.params);
      return call;
    },
  }),
  {
    route: `PUT ${progression}`,
    name: 'sets further gates',
    given: async (server) => ({ ...(await atMilestone(0)(server)), body: furtherGates }),
    answer: furtherGates,
    events: [{ type: 'milestone-progression-updated', data: furtherGates, preData: minutes(60) }],
  },
  {
    route: `PUT ${progression}`,
    name: 'changes the time at a milestone',
    given: async (server) => ({ ...(await atMilestone(0)(server)), body: minutes(5) }),
    answer: minutes(5),
    events: [{ type: 'milestone-progression-updated', data: minutes(5), preData: minutes(60) }],
  },
  {
    route: `PUT ${progression}`,
    name: 'lets a milestone end by time that a person would have ended',
    given: async (server) => {
      const { params, milestoneIds } = await givenPlan(server, [rolloutTo(10), rolloutTo(100)]);
      return { params: { ...params, id: milestoneIds[0] ?? '' }, body: minutes(5) };
    },
    events: [{ type: 'milestone-progression-created', data: minutes(5) }],
  },
  ...refused(`PUT ${progression}`, 400, {
    'refuses a role that does not exist, whose gate would never open': async (server) => ({
      ...(await atMilestone(0)(server)),
      body: { transitionCondition: { intervalMinutes: 60, approval: { by: 'person', role: 987_654 } } },
    }),
    'refuses the last milestone, after which none is': async (server) => ({
      ...(await atMilestone(2)(server)),
      body: minutes(5),
    }),
    'refuses a target that is not the next milestone': async (server) => {
      const { params, milestoneIds } = await givenPlan(server);
      const body = { ...minutes(5), targetMilestone: milestoneIds[2] };
      return { params: { ...params, id: milestoneIds[0] ?? '' }, body };
    },
  }),
  {
    route: `DELETE ${progression}`,
    name: 'leaves the next milestone to a person',
    given: atMilestone(0),
    events: [{ type: 'milestone-progression-deleted', preData: minutes(60) }],
  },
  {
    route: `POST ${pause}`,
    name: 'pauses a plan',
    given,
    events: [{ type: 'release-plan-progressions-paused', data: { milestoneName: '10 %', reason: null } }],
  },
  {
    route: `POST ${resume}`,
    name: 'resumes a paused plan',
    given: async (server) => {
      const call = await given(server);
      await server.admin.call(`POST ${pause}`, call);
      return call;
    },
    events: [{ type: 'release-plan-progressions-resumed', data: { milestoneName: '10 %' } }],
  },
  {
    route: `PUT ${strategy}`,
    name: 'changes a strategy that is served',
    given: atStrategy(0, { parameters: { rollout: '15' } }),
    answer: { parameters: { rollout: '15' } },
    events: [{ type: 'release-plan-updated', environment: 'development' }],
  },
  {
    route: `PUT ${strategy}`,
    name: 'changes a strategy of a milestone ahead, and nothing that is served',
    given: atStrategy(1, { parameters: { rollout: '40' } }),
    answer: { parameters: { rollout: '40' } },
    events: [{ type: 'release-plan-updated' }],
  },
  ...refused(`PUT ${strategy}`, 400, {
    'refuses to leave a milestone without an active strategy': atStrategy(0, { disabled: true }),
  }),
  ...refused(`PUT ${strategy}`, 404, {
    'answers 404 for a strategy of the flag itself': async (server) => ({
      params: await givenStrategy(server),
      body: {},
    }),
  }),
];
