import { expect } from 'vitest';
import { freshName } from '#testing/flags.ts';
import { givenTemplate } from '#testing/release-plans.ts';
import { refused, type Scenario } from '#testing/scenario.ts';

const plan = 'POST /api/admin/state/plan';
const apply = 'POST /api/admin/state/apply';
const hour = { intervalMinutes: 60 };

/** Returns a milestone as state: rolls the flag out to a percentage of users. */
function step(rollout: number, gates?: object) {
  return {
    name: `${rollout} %`,
    ...(gates === undefined ? {} : { transitionCondition: gates }),
    strategies: [{ name: 'flexibleRollout', parameters: { rollout: String(rollout), stickiness: 'userId' } }],
  };
}

/** The milestones of `givenTemplate` as state. */
const threeSteps = [step(10, hour), step(50, hour), step(100)];

/** Returns a state of a release template. */
const having = (name: string, template: object, rest: object = {}) => ({
  state: { version: 1, releaseTemplates: { [name]: template }, ...rest },
});

/** Returns a function that creates a template and returns the body that gives the template this state. */
const changing = (template: object) => async (server: Parameters<typeof givenTemplate>[0]) => ({
  body: having((await givenTemplate(server)).name, template),
});

/** Returns a function that returns the body of a state with a new template. */
const adding = (template: object) => async () => ({ body: having(freshName('template'), template) });

export const releaseTemplateStateScenarios: readonly Scenario[] = [
  {
    route: apply,
    name: 'creates a release template with a new segment and a role by name',
    given: async () => {
      const segment = freshName('segment');
      const gates = { ...hour, approval: { by: 'person', role: 'Owner' } };
      const first = { ...step(10, gates), strategies: [{ name: 'default', segments: [segment] }] };
      const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
      const template = { description: 'With care', milestones: [first, step(100)] };
      return { body: having(freshName('template'), template, { segments: { [segment]: { constraints } } }) };
    },
    answer: {
      changes: [
        { type: 'segment-created' },
        {
          type: 'release-plan-template-created',
          kind: 'release-template',
          project: null,
          fields: [
            { field: 'description', after: 'With care' },
            { field: 'milestones.0', after: { name: '10 %', transitionCondition: { approval: { role: 'Owner' } } } },
            { field: 'milestones.1', after: { name: '100 %' } },
          ],
        },
      ],
    },
    events: [
      { type: 'segment-created' },
      {
        type: 'release-plan-template-created',
        data: {
          description: 'With care',
          milestones: [
            {
              transitionCondition: { approval: { by: 'person', role: 4 } },
              strategies: [{ segments: [expect.any(Number)] }],
            },
            { sortOrder: 1, strategies: [{ parameters: { rollout: '100', groupId: '' } }] },
          ],
        },
      },
    ],
  },
  {
    route: apply,
    name: 'updates the milestones of a release template, adds one and keeps the description',
    given: changing({ milestones: [step(10, hour), step(20, hour), step(50), step(100)] }),
    answer: {
      changes: [
        {
          type: 'release-plan-template-updated',
          fields: [
            { field: 'milestones.1', before: { name: '50 %' }, after: { name: '20 %' } },
            { field: 'milestones.2', before: { name: '100 %' }, after: { name: '50 %' } },
            { field: 'milestones.3', after: { name: '100 %' } },
          ],
        },
      ],
    },
    events: [
      {
        type: 'release-plan-template-updated',
        data: { milestones: [{ name: '10 %' }, { name: '20 %' }, { name: '50 %', transitionCondition: null }, {}] },
      },
    ],
  },
  {
    route: apply,
    name: 'leaves the milestones of a release template alone that names none',
    given: changing({ description: 'New' }),
    answer: { changes: [{ type: 'release-plan-template-updated', fields: [{ field: 'description', after: 'New' }] }] },
    events: [{ type: 'release-plan-template-updated', data: { description: 'New', milestones: [{}, {}, {}] } }],
  },
  {
    route: apply,
    name: 'archives a release template that is to be archived',
    given: changing({ archived: true, milestones: threeSteps }),
    answer: { changes: [{ type: 'release-plan-template-archived' }] },
    events: [{ type: 'release-plan-template-archived' }],
  },
  {
    route: apply,
    name: 'changes nothing when a release template that is to be archived does not exist',
    given: adding({ archived: true, milestones: threeSteps }),
    answer: { changes: [] },
  },
  {
    route: apply,
    name: 'revives an archived release template that the state names, and updates it',
    given: async (server) => {
      const { id, name } = await givenTemplate(server);
      const params = { templateId: id };
      await server.admin.call('POST /api/admin/release-plan-templates/archive/:templateId', { params });
      return { body: having(name, { milestones: [step(10)] }) };
    },
    answer: { changes: [{ type: 'release-plan-template-updated' }, { type: 'release-plan-template-revived' }] },
    events: [{ type: 'release-plan-template-updated' }, { type: 'release-plan-template-revived' }],
  },
  ...refused(apply, 400, {
    'refuses an unknown role, segment and strategy in a release template, with the paths': adding({
      milestones: [
        step(10, { ...hour, approval: { by: 'person', role: 'Nobody' } }),
        { name: 'Some', strategies: [{ name: 'none' }, { name: 'default', segments: ['none'] }] },
      ],
    }),
    'refuses parameters of a release template that its strategy type does not allow': adding({
      milestones: [step(110)],
    }),
  }),
  {
    route: plan,
    name: 'names the permission that each change of a release template needs',
    as: 'viewer',
    given: async (server) => {
      const [changed, archived] = [await givenTemplate(server), await givenTemplate(server)];
      const releaseTemplates = {
        [freshName('template')]: {},
        [changed.name]: { description: 'New' },
        [archived.name]: { archived: true },
      };
      return { body: { state: { version: 1, releaseTemplates } } };
    },
    answer: {
      permissions: [
        {
          message: expect.stringContaining('RELEASE_PLAN_TEMPLATE_UPDATE'),
          names: [expect.any(String), expect.any(String)],
        },
        { message: expect.stringContaining('RELEASE_PLAN_TEMPLATE_CREATE'), names: [expect.any(String)] },
      ],
    },
  },
  {
    route: apply,
    name: 'refuses a release template of a caller who may not create one',
    as: 'viewer',
    given: adding({}),
    status: 403,
    answer: { permissions: ['RELEASE_PLAN_TEMPLATE_CREATE'] },
  },
];
