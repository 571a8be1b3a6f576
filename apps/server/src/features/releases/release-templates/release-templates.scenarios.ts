import { freshName } from '#testing/flags.ts';
import { givenTemplate, inThreeSteps, rolloutTo } from '#testing/release-plans.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { projectTemplateScenarios } from './project.scenarios.ts';

const all = '/api/admin/release-plan-templates' as const;
const one = `${all}/:templateId` as const;
const milestones = `${one}/milestones` as const;
const milestone = `${milestones}/:milestoneId` as const;
const strategies = `${milestone}/strategies` as const;
const strategy = `${strategies}/:strategyId` as const;

/** Creates a template, and returns the path of its first milestone and strategy. */
async function given(server: TestServer) {
  const { id, milestones } = await givenTemplate(server);
  const [first] = milestones;
  return { params: { templateId: id, milestoneId: first.id, strategyId: first.strategies[0].id } };
}
/** Archives a new template. */
async function givenArchived(server: TestServer) {
  const call = await given(server);
  await server.admin.call(`POST ${all}/archive/:templateId`, call);
  return call;
}
const withBody = (body: object) => async (server: TestServer) => ({ ...(await given(server)), body });
const updated = [{ type: 'release-plan-template-updated' }] as const;

export const releaseTemplateScenarios: readonly Scenario[] = [
  {
    route: `POST ${all}`,
    name: 'creates a template, whose strategies belong to no flag',
    given: async () => ({ body: { name: 'In three steps', milestones: inThreeSteps } }),
    answer: {
      discriminator: 'template',
      name: 'In three steps',
      description: null,
      archivedAt: null,
      milestones: [
        {
          name: '10 %',
          sortOrder: 0,
          startedAt: null,
          transitionCondition: { intervalMinutes: 60 },
          strategies: [
            {
              name: 'flexibleRollout',
              strategyName: 'flexibleRollout',
              parameters: { rollout: '10', stickiness: 'userId', groupId: '' },
            },
          ],
        },
        { name: '50 %', sortOrder: 1 },
        { name: '100 %', sortOrder: 2, transitionCondition: null },
      ],
    },
    events: [{ type: 'release-plan-template-created', data: { name: 'In three steps' } }],
  },
  {
    route: `POST ${all}`,
    name: 'takes the type of a strategy by its earlier name, too',
    given: async () => ({
      body: { name: 'By earlier name', milestones: [{ name: 'All', strategies: [{ strategyName: 'default' }] }] },
    }),
    answer: { milestones: [{ strategies: [{ name: 'default' }] }] },
    events: [{ type: 'release-plan-template-created' }],
  },
  ...refused(`POST ${all}`, 409, {
    'refuses a name that is taken': async (server) => ({ body: { name: (await givenTemplate(server)).name } }),
  }),
  ...refused(`POST ${all}`, 400, {
    'names the field of a strategy that is wrong': async () => ({
      body: { name: 'Wrong', milestones: [rolloutTo(10), rolloutTo(110)] },
    }),
    'refuses a segment that does not exist': async () => ({
      body: { name: 'Wrong', milestones: [{ name: 'A', strategies: [{ name: 'default', segments: [999_999] }] }] },
    }),
    'refuses an interval below a minute': async () => ({ body: { name: 'Wrong', milestones: [rolloutTo(10, 0)] } }),
  }),
  {
    route: `POST ${all}`,
    name: 'is allowed to an editor',
    as: 'editor',
    given: async () => ({ body: { name: 'Of an editor' } }),
    events: [{ type: 'release-plan-template-created' }],
  },
  { route: `GET ${all}`, name: 'lists the templates', as: 'viewer', given: async () => ({}) },
  {
    route: `GET ${all}`,
    name: 'lists the archived templates',
    given: async (server) => {
      const { id } = await givenTemplate(server);
      await server.admin.call(`POST ${all}/archive/:templateId`, { params: { templateId: id } });
      return { query: { archived: 'true' } };
    },
  },
  {
    route: `GET ${one}`,
    name: 'returns a template',
    given,
    answer: { milestones: [{ name: '10 %' }, {}, {}] },
  },
  {
    route: `PUT ${one}`,
    name: 'changes the name and keeps the milestones',
    given: withBody({ name: 'Renamed' }),
    answer: { name: 'Renamed', milestones: [{ name: '10 %' }, { name: '50 %' }, { name: '100 %' }] },
    events: [{ type: 'release-plan-template-updated', data: { name: 'Renamed' } }],
  },
  {
    route: `PUT ${one}`,
    name: 'replaces the milestones that are given, in the order of their positions',
    given: withBody({
      name: 'Two',
      milestones: [
        { ...rolloutTo(100), sortOrder: 2 },
        { ...rolloutTo(5), sortOrder: 1 },
      ],
    }),
    answer: { milestones: [{ name: '5 %' }, { name: '100 %' }] },
    events: updated,
  },
  {
    route: `DELETE ${one}`,
    name: 'deletes a template',
    given,
    events: [{ type: 'release-plan-template-deleted' }],
  },
  {
    route: `POST ${all}/archive/:templateId`,
    name: 'archives a template',
    given,
    events: [{ type: 'release-plan-template-archived' }],
  },
  {
    route: `POST ${all}/revive/:templateId`,
    name: 'revives an archived template',
    given: givenArchived,
    events: [{ type: 'release-plan-template-revived', data: { archivedAt: null } }],
  },
  {
    route: `POST ${milestones}`,
    name: 'adds a milestone after the last',
    given: withBody({ name: 'After' }),
    answer: { name: 'After', sortOrder: 3, strategies: [] },
    events: updated,
  },
  {
    route: `PUT ${milestone}`,
    name: 'updates a milestone and keeps its strategies',
    given: withBody({ name: 'First', transitionCondition: { intervalMinutes: 5 } }),
    answer: { name: 'First', transitionCondition: { intervalMinutes: 5 }, strategies: [{ name: 'flexibleRollout' }] },
    events: updated,
  },
  { route: `DELETE ${milestone}`, name: 'deletes a milestone', given, events: updated },
  {
    route: `POST ${strategies}`,
    name: 'adds a strategy after the last',
    given: withBody({ name: 'default' }),
    answer: { strategies: [{ name: 'flexibleRollout' }, { name: 'default', sortOrder: 1 }] },
    events: updated,
  },
  ...refused(`POST ${strategies}`, 400, {
    'refuses more strategies than a milestone may be created with': async (server) => {
      const milestones = [{ name: 'Full', strategies: Array(100).fill({ name: 'default' }) }];
      const { json } = await server.admin.call(`POST ${all}`, { body: { name: freshName('full'), milestones } });
      return { params: { templateId: json.id, milestoneId: json.milestones[0].id }, body: { name: 'default' } };
    },
  }),
  {
    route: `PUT ${strategy}`,
    name: 'replaces a strategy, which keeps its id',
    given: withBody({ name: 'default', title: 'Everyone' }),
    answer: { name: 'default', title: 'Everyone' },
    events: updated,
  },
  { route: `DELETE ${strategy}`, name: 'deletes a strategy', given, events: updated },
  ...projectTemplateScenarios,
];
