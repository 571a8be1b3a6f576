import { givenCaller } from '#testing/access.ts';
import { type ActionPlace, calling, expecting, givenActionPlace, setBody, turning } from '#testing/actions.ts';
import { givenArchived, givenFlag } from '#testing/flags.ts';
import type { Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

interface Refusal {
  readonly name: string;
  readonly path: string;
  readonly body: (place: ActionPlace, server: TestServer) => object | Promise<object>;
}

const match = ({ endpoint }: ActionPlace, payload: object, more: object = {}) => ({
  match: { source: 'signal-endpoint', sourceId: endpoint.id, payload, ...more },
});
const withAction = (action: object) => ({ actions: [action] });
const withParams = ({ projectId, flag }: ActionPlace, more: object) => {
  const action = turning('ON', projectId, flag.featureName);
  return withAction({ ...action, executionParams: { ...action.executionParams, ...more } });
};
const url = 'https://8.8.8.8/hook';
const many = (count: number) => Array.from({ length: count }, (_, index) => `value-${index}`);
const isIn = (values: readonly string[]) => ({ operator: 'IN', values });
const inItem = '{{item.labels.feature_flag}}';

const refusals: readonly Refusal[] = [
  { name: 'an empty name', path: 'name', body: () => ({ name: ' ' }) },
  { name: 'an unknown service account', path: 'actorId', body: () => ({ actorId: 99_999 }) },
  {
    name: 'a hold at a percentage without one',
    path: 'actions.0.executionParams.rollout',
    body: ({ projectId: project, flag: { featureName } }) => {
      const executionParams = { project, environment: 'development', featureName, effect: 'rollout' };
      return withAction({ action: 'HOLD_FEATURE', sortOrder: 1, executionParams });
    },
  },
  {
    name: 'a service account that lacks the permission',
    path: 'actorId',
    body: async (_place, server) => ({ actorId: (await givenCaller(server, 'Viewer')).id }),
  },
  {
    name: 'an unknown endpoint',
    path: 'match.sourceId',
    body: () => ({ match: { source: 'signal-endpoint', sourceId: 99_999, payload: {} } }),
  },
  {
    name: 'another source',
    path: 'match.source',
    body: ({ endpoint }) => ({ match: { source: 'webhook', sourceId: endpoint.id, payload: {} } }),
  },
  { name: 'an invalid path', path: 'match.payload.a..b', body: (at) => match(at, { 'a..b': isIn(['x']) }) },
  { name: 'a path with an open bracket', path: 'match.payload.a[0', body: (at) => match(at, { 'a[0': isIn(['x']) }) },
  {
    name: 'an unknown operator',
    path: 'match.payload.status.operator',
    body: (at) => match(at, { status: { operator: 'REGEX', value: '.*' } }),
  },
  {
    name: 'a filter without values',
    path: 'match.payload.status.values',
    body: (at) => match(at, { status: isIn([]) }),
  },
  {
    name: 'a numeric comparison with text',
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
  { name: 'an invalid path in forEach', path: 'match.forEach', body: (at) => match(at, {}, { forEach: 'alerts[]' }) },
  { name: 'no actions', path: 'actions', body: () => ({ actions: [] }) },
  {
    name: 'more actions than the limit',
    path: 'actions',
    body: ({ projectId, flag }) => ({
      actions: many(11).map((_, index) => turning('ON', projectId, flag.featureName, index + 1)),
    }),
  },
  {
    name: 'an unknown action kind',
    path: 'actions.0.action',
    body: () => withAction({ action: 'MAKE_COFFEE', sortOrder: 1, executionParams: {} }),
  },
  {
    name: 'an action without a required parameter',
    path: 'actions.0.executionParams.environment',
    body: (at) => withParams(at, { environment: undefined }),
  },
  {
    name: 'an unknown parameter',
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
    name: 'an unknown flag',
    path: 'actions.0.executionParams.featureName',
    body: (at) => withParams(at, { featureName: 'no-flag' }),
  },
  {
    name: 'a flag of another project',
    path: 'actions.0.executionParams.featureName',
    body: async (at, server) => withParams(at, { featureName: (await givenFlag(server)).featureName }),
  },
  {
    name: 'an archived flag',
    path: 'actions.0.executionParams.featureName',
    body: async (at, server) =>
      withParams(at, { featureName: (await givenArchived(server, at.projectId)).featureName }),
  },
  {
    name: 'an invalid tag',
    path: 'actions.0.executionParams.tag',
    body: ({ projectId }) =>
      withAction({
        action: 'TOGGLE_FEATURES_ON_BY_TAG',
        sortOrder: 1,
        executionParams: { project: projectId, environment: 'development', tag: 'payments' },
      }),
  },
  {
    name: 'a flag from the payload without allow',
    path: 'actions.0.executionParams.featureName',
    body: (at) => withParams(at, { featureName: '{{flag}}' }),
  },
  {
    name: 'a template with an unclosed tag',
    path: 'actions.0.executionParams.featureName',
    body: (at) => ({ ...withParams(at, { featureName: '{{flag' }), allow: { flags: ['*'] } }),
  },
  {
    name: 'a template with an unclosed tag, with a long run of blanks',
    path: 'actions.0.executionParams.body',
    body: (at) => withAction(calling(at, url, { body: `"{{${' '.repeat(40_000)}"` })),
  },
  {
    name: 'a template that is longer than the limit',
    path: 'actions.0.executionParams.body',
    body: (at) => withAction(calling(at, url, { body: `"{{a}}${'x'.repeat(50_000)}"` })),
  },
  {
    name: 'item without forEach',
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
  { name: 'an invalid allowed tag', path: 'allow.tags.0', body: () => ({ allow: { tags: [':x'] } }) },
  {
    name: 'an unknown allowed environment',
    path: 'allow.environments.0',
    body: () => ({ allow: { environments: ['nowhere'] } }),
  },
  {
    name: 'a URL of localhost',
    path: 'actions.0.executionParams.url',
    body: (at) => withAction(calling(at, 'http://localhost:4242/')),
  },
  {
    name: 'a private address written as a number',
    path: 'actions.0.executionParams.url',
    body: (at) => withAction(calling(at, 'http://0xa9fea9fe/latest/meta-data')),
  },
  {
    name: 'a URL of another scheme',
    path: 'actions.0.executionParams.url',
    body: (at) => withAction(calling(at, 'file:///etc/passwd')),
  },
  ...[
    'https://{{host}}/',
    'https://8.8.8.8{{path}}',
    'https://8.8.8.8:{{port}}/',
    'https://x:y@8.8.8.8/',
    '{{url}}',
  ].map(
    (from): Refusal => ({
      name: `a URL with a template in the host, or with a password: ${from}`,
      path: 'actions.0.executionParams.url',
      body: (at) => withAction(calling(at, from)),
    }),
  ),
  {
    name: 'a path with a .. segment',
    path: 'actions.0.executionParams.url',
    body: (at) => withAction(calling(at, `${url}/%2e./{{x}}`)),
  },
  {
    name: 'a method from the payload',
    path: 'actions.0.executionParams.method',
    body: (at) => withAction(calling(at, url, { method: '{{method}}' })),
  },
  {
    name: 'headers that are not JSON',
    path: 'actions.0.executionParams.headers',
    body: (at) => withAction(calling(at, url, { headers: 'X-Of: us' })),
  },
  ...['Host', 'Content-Length', 'Idempotency-Key'].map(
    (name): Refusal => ({
      name: `the reserved header ${name}`,
      path: 'actions.0.executionParams.headers',
      body: (at) => withAction(calling(at, url, { headers: JSON.stringify({ [name]: 'x' }) })),
    }),
  ),
  {
    name: 'masked headers without a stored value',
    path: 'actions.0.executionParams.headers',
    body: (at) => withAction(calling(at, url, { headers: '*****' })),
  },
  {
    name: 'a JSON body with a template outside quotes',
    path: 'actions.0.executionParams.body',
    body: (at) => withAction(calling(at, url, { body: '{"load": {{load}}}' })),
  },
  {
    name: 'a body with GET',
    path: 'actions.0.executionParams.body',
    body: (at) => withAction(calling(at, url, { method: 'GET', body: '{}' })),
  },
  {
    name: 'an unknown trigger',
    path: 'match.trigger',
    body: (at) => match(at, {}, { trigger: 'sunrise' }),
  },
  {
    name: 'silence as the trigger when the endpoint expects no signals',
    path: 'match.trigger',
    body: (at) => match(at, {}, { trigger: 'silence' }),
  },
  {
    name: 'forEach when silence triggers the actions',
    path: 'match.forEach',
    body: async (at, server) => match(await expecting(server, at), {}, { trigger: 'silence', forEach: 'alerts' }),
  },
  {
    name: 'a filter on the state of a silence',
    path: 'match.payload.silence.state',
    body: async (at, server) =>
      match(await expecting(server, at), { 'silence.state': isIn(['ended']) }, { trigger: 'silence' }),
  },
  {
    name: 'a release on the state of a silence',
    path: 'match.release.silence.state',
    body: async (at, server) =>
      match(await expecting(server, at), {}, { trigger: 'silence', release: { 'silence.state': isIn(['began']) } }),
  },
  {
    name: 'a release without filters when signals trigger the actions',
    path: 'match.release',
    body: (at) => match(at, {}, { release: {} }),
  },
  {
    name: 'a release of silence when nothing is held',
    path: 'match.release',
    body: async (at, server) => match(await expecting(server, at), {}, { trigger: 'silence', release: {} }),
  },
  { name: 'a cool-down of zero', path: 'guards.cooldownSeconds', body: () => ({ guards: { cooldownSeconds: 0 } }) },
  {
    name: 'a quorum with more tokens than signals',
    path: 'guards.quorum.tokens',
    body: () => ({ guards: { quorum: { signals: 1, tokens: 2, withinSeconds: 60 } } }),
  },
];

/** Scenarios of invalid sets; each names the invalid field. */
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
