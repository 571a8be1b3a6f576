import { givenCaller } from '../../../testing/access.ts';
import { type ActionPlace, calling, givenActionPlace, setBody, turning } from '../../../testing/actions.ts';
import { givenArchived, givenFlag } from '../../../testing/flags.ts';
import type { Scenario } from '../../../testing/scenario.ts';
import type { TestServer } from '../../../testing/server.ts';

interface Refusal {
  readonly name: string;
  readonly path: string;
  readonly body: (place: ActionPlace, server: TestServer) => object | Promise<object>;
}

const match = ({ endpoint }: ActionPlace, payload: object, more: object = {}) => ({
  match: { source: 'signal-endpoint', sourceId: endpoint.id, payload, ...more },
});
const one = (action: object) => ({ actions: [action] });
const withParams = ({ projectId, flag }: ActionPlace, more: object) => {
  const action = turning('ON', projectId, flag.featureName);
  return one({ ...action, executionParams: { ...action.executionParams, ...more } });
};
const url = 'https://8.8.8.8/hook';
const many = (count: number) => Array.from({ length: count }, (_, index) => `value-${index}`);
const isIn = (values: readonly string[]) => ({ operator: 'IN', values });
const inItem = '{{item.labels.feature_flag}}';

const refusals: readonly Refusal[] = [
  { name: 'no name', path: 'name', body: () => ({ name: ' ' }) },
  { name: 'a service account that there is not', path: 'actorId', body: () => ({ actorId: 99_999 }) },
  {
    name: 'a service account that lacks the permission',
    path: 'actorId',
    body: async (_place, server) => ({ actorId: (await givenCaller(server, 'Viewer')).id }),
  },
  {
    name: 'an endpoint that there is not',
    path: 'match.sourceId',
    body: () => ({ match: { source: 'signal-endpoint', sourceId: 99_999, payload: {} } }),
  },
  {
    name: 'another source',
    path: 'match.source',
    body: ({ endpoint }) => ({ match: { source: 'webhook', sourceId: endpoint.id, payload: {} } }),
  },
  { name: 'a path that is none', path: 'match.payload.a..b', body: (at) => match(at, { 'a..b': isIn(['x']) }) },
  { name: 'a path with an open bracket', path: 'match.payload.a[0', body: (at) => match(at, { 'a[0': isIn(['x']) }) },
  {
    name: 'an operator that there is not',
    path: 'match.payload.status.operator',
    body: (at) => match(at, { status: { operator: 'REGEX', value: '.*' } }),
  },
  {
    name: 'a filter with nothing to compare with',
    path: 'match.payload.status.values',
    body: (at) => match(at, { status: isIn([]) }),
  },
  {
    name: 'a comparison with what is no number',
    path: 'match.payload.load.value',
    body: (at) => match(at, { load: { operator: 'NUM_GT', value: 'much' } }),
  },
  {
    name: 'more filters than the limit',
    path: 'match.payload',
    body: (at) => match(at, Object.fromEntries(many(6).map((path) => [path, isIn(['x'])]))),
  },
  {
    name: 'more values than the limit',
    path: 'match.payload.status.values',
    body: (at) => match(at, { status: isIn(many(26)) }),
  },
  { name: 'an array that is at no path', path: 'match.forEach', body: (at) => match(at, {}, { forEach: 'alerts[]' }) },
  { name: 'no actions', path: 'actions', body: () => ({ actions: [] }) },
  {
    name: 'more actions than the limit',
    path: 'actions',
    body: ({ projectId, flag }) => ({
      actions: many(11).map((_, index) => turning('ON', projectId, flag.featureName, index + 1)),
    }),
  },
  {
    name: 'an action that there is not',
    path: 'actions.0.action',
    body: () => one({ action: 'MAKE_COFFEE', sortOrder: 1, executionParams: {} }),
  },
  {
    name: 'an action without a parameter that it needs',
    path: 'actions.0.executionParams.environment',
    body: (at) => withParams(at, { environment: undefined }),
  },
  {
    name: 'a parameter that the action does not have',
    path: 'actions.0.executionParams.color',
    body: (at) => withParams(at, { color: 'red' }),
  },
  {
    name: 'another project',
    path: 'actions.0.executionParams.project',
    body: (at) => withParams(at, { project: 'default' }),
  },
  {
    name: 'an environment that the project does not have',
    path: 'actions.0.executionParams.environment',
    body: (at) => withParams(at, { environment: 'nowhere' }),
  },
  {
    name: 'a flag that there is not',
    path: 'actions.0.executionParams.featureName',
    body: (at) => withParams(at, { featureName: 'no-flag' }),
  },
  {
    name: 'a flag of another project',
    path: 'actions.0.executionParams.featureName',
    body: async (at, server) => withParams(at, { featureName: (await givenFlag(server)).featureName }),
  },
  {
    name: 'a flag that is archived',
    path: 'actions.0.executionParams.featureName',
    body: async (at, server) =>
      withParams(at, { featureName: (await givenArchived(server, at.projectId)).featureName }),
  },
  {
    name: 'a tag that is none',
    path: 'actions.0.executionParams.tag',
    body: ({ projectId }) =>
      one({
        action: 'TOGGLE_FEATURES_ON_BY_TAG',
        sortOrder: 1,
        executionParams: { project: projectId, environment: 'development', tag: 'payments' },
      }),
  },
  {
    name: 'a flag from the payload while nothing says which',
    path: 'actions.0.executionParams.featureName',
    body: (at) => withParams(at, { featureName: '{{flag}}' }),
  },
  {
    name: 'a template that is not closed',
    path: 'actions.0.executionParams.featureName',
    body: (at) => ({ ...withParams(at, { featureName: '{{flag' }), allow: { flags: ['*'] } }),
  },
  {
    name: 'a template that is not closed, with a long run of blanks',
    path: 'actions.0.executionParams.body',
    body: (at) => one(calling(at, url, { body: `"{{${' '.repeat(40_000)}"` })),
  },
  {
    name: 'a template that is longer than the limit',
    path: 'actions.0.executionParams.body',
    body: (at) => one(calling(at, url, { body: `"{{a}}${'x'.repeat(50_000)}"` })),
  },
  {
    name: 'an element where there is none',
    path: 'actions.0.executionParams.featureName',
    body: (at) => ({ ...withParams(at, { featureName: inItem }), allow: { flags: ['*'] } }),
  },
  {
    name: 'a project from the payload',
    path: 'actions.0.executionParams.project',
    body: (at) => withParams(at, { project: '{{project}}' }),
  },
  {
    name: 'an allowed flag of another project',
    path: 'allow.flags.0',
    body: () => ({ allow: { flags: ['elsewhere'] } }),
  },
  { name: 'an allowed tag that is none', path: 'allow.tags.0', body: () => ({ allow: { tags: [':x'] } }) },
  {
    name: 'an allowed environment that there is not',
    path: 'allow.environments.0',
    body: () => ({ allow: { environments: ['nowhere'] } }),
  },
  {
    name: 'a URL of this machine',
    path: 'actions.0.executionParams.url',
    body: (at) => one(calling(at, 'http://localhost:4242/')),
  },
  {
    name: 'a URL of a machine near this one, written as a number',
    path: 'actions.0.executionParams.url',
    body: (at) => one(calling(at, 'http://0xa9fea9fe/latest/meta-data')),
  },
  {
    name: 'a URL of another protocol',
    path: 'actions.0.executionParams.url',
    body: (at) => one(calling(at, 'file:///etc/passwd')),
  },
  ...[
    'https://{{host}}/',
    'https://8.8.8.8{{path}}',
    'https://8.8.8.8:{{port}}/',
    'https://x:y@8.8.8.8/',
    '{{url}}',
  ].map(
    (from): Refusal => ({
      name: `a URL whose host the payload would choose, or that holds a password: ${from}`,
      path: 'actions.0.executionParams.url',
      body: (at) => one(calling(at, from)),
    }),
  ),
  {
    name: 'a path that leads upwards',
    path: 'actions.0.executionParams.url',
    body: (at) => one(calling(at, `${url}/%2e./{{x}}`)),
  },
  {
    name: 'a method from the payload',
    path: 'actions.0.executionParams.method',
    body: (at) => one(calling(at, url, { method: '{{method}}' })),
  },
  {
    name: 'headers that are no JSON',
    path: 'actions.0.executionParams.headers',
    body: (at) => one(calling(at, url, { headers: 'X-Of: us' })),
  },
  ...['Host', 'Content-Length', 'Idempotency-Key'].map(
    (name): Refusal => ({
      name: `the header ${name}, which is ours`,
      path: 'actions.0.executionParams.headers',
      body: (at) => one(calling(at, url, { headers: JSON.stringify({ [name]: 'x' }) })),
    }),
  ),
  {
    name: 'headers of a set that has none yet',
    path: 'actions.0.executionParams.headers',
    body: (at) => one(calling(at, url, { headers: '*****' })),
  },
  {
    name: 'a body that the payload could change the shape of',
    path: 'actions.0.executionParams.body',
    body: (at) => one(calling(at, url, { body: '{"load": {{load}}}' })),
  },
  {
    name: 'a body with GET',
    path: 'actions.0.executionParams.body',
    body: (at) => one(calling(at, url, { method: 'GET', body: '{}' })),
  },
  { name: 'a cool-down of no time', path: 'guards.cooldownSeconds', body: () => ({ guards: { cooldownSeconds: 0 } }) },
  {
    name: 'more tokens than signals',
    path: 'guards.quorum.tokens',
    body: () => ({ guards: { quorum: { signals: 1, tokens: 2, withinSeconds: 60 } } }),
  },
];

/** What is not saved, and the field that says why. */
export const refusedSets: readonly Scenario[] = refusals.map(({ name, path, body }) => ({
  route: 'POST /api/admin/projects/:projectId/actions',
  name: `refuses ${name}`,
  given: async (server) => {
    const place = await givenActionPlace(server);
    return { params: { projectId: place.projectId }, body: setBody(place, await body(place, server)) };
  },
  status: 400,
  answer: { details: [{ path }] },
}));
