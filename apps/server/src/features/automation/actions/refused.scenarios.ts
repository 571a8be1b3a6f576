import { givenCaller } from '#testing/access.ts';
import { type ActionPlace, calling, expecting, givenActionPlace, setBody, turning } from '#testing/actions.ts';
import { givenArchived, givenFlag } from '#testing/flags.ts';
import type { Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

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

/** Invalid fields of sets, by what is invalid. */
const invalid: Readonly<Record<string, (place: ActionPlace, server: TestServer) => object | Promise<object>>> = {
  'an unknown service account': () => ({ actorId: 99_999 }),
  'a hold at a percentage without one': ({ projectId: project, flag: { featureName } }) => {
    const executionParams = { project, environment: 'development', featureName, effect: 'rollout' };
    return withAction({ action: 'HOLD_FEATURE', sortOrder: 1, executionParams });
  },
  'a service account that lacks the permission': async (_place, server) => ({
    actorId: (await givenCaller(server, 'Viewer')).id,
  }),
  'an unknown endpoint': () => ({ match: { source: 'signal-endpoint', sourceId: 99_999, payload: {} } }),
  'another source': ({ endpoint }) => ({ match: { source: 'webhook', sourceId: endpoint.id, payload: {} } }),
  'an invalid path': (at) => match(at, { 'a..b': isIn(['x']) }),
  'a path with an open bracket': (at) => match(at, { 'a[0': isIn(['x']) }),
  'an unknown operator': (at) => match(at, { status: { operator: 'REGEX', value: '.*' } }),
  'a filter without values': (at) => match(at, { status: isIn([]) }),
  'a numeric comparison with text': (at) => match(at, { load: { operator: 'NUM_GT', value: 'much' } }),
  'more filters than the limit': (at) => match(at, Object.fromEntries(many(6).map((path) => [path, isIn(['x'])]))),
  'more values than the limit': (at) => match(at, { status: isIn(many(26)) }),
  'an invalid path in forEach': (at) => match(at, {}, { forEach: 'alerts[]' }),
  'more actions than the limit': ({ projectId, flag }) => ({
    actions: many(11).map((_, index) => turning('ON', projectId, flag.featureName, index + 1)),
  }),
  'an unknown action kind': () => withAction({ action: 'MAKE_COFFEE', sortOrder: 1, executionParams: {} }),
  'an action without a required parameter': (at) => withParams(at, { environment: undefined }),
  'an unknown parameter': (at) => withParams(at, { color: 'red' }),
  'another project': (at) => withParams(at, { project: 'default' }),
  'an environment that the project does not have': (at) => withParams(at, { environment: 'nowhere' }),
  'an unknown flag': (at) => withParams(at, { featureName: 'no-flag' }),
  'a flag of another project': async (at, server) =>
    withParams(at, { featureName: (await givenFlag(server)).featureName }),
  'an archived flag': async (at, server) =>
    withParams(at, { featureName: (await givenArchived(server, at.projectId)).featureName }),
  'an invalid tag': ({ projectId }) =>
    withAction({
      action: 'TOGGLE_FEATURES_ON_BY_TAG',
      sortOrder: 1,
      executionParams: { project: projectId, environment: 'development', tag: 'payments' },
    }),
  'a flag from the payload without allow': (at) => withParams(at, { featureName: '{{flag}}' }),
  'a template with an unclosed tag': (at) => ({
    ...withParams(at, { featureName: '{{flag' }),
    allow: { flags: ['*'] },
  }),
  'a template with an unclosed tag, with a long run of blanks': (at) =>
    withAction(calling(at, url, { body: `"{{${' '.repeat(40_000)}"` })),
  'a template that is longer than the limit': (at) =>
    withAction(calling(at, url, { body: `"{{a}}${'x'.repeat(50_000)}"` })),
  'item without forEach': (at) => ({ ...withParams(at, { featureName: inItem }), allow: { flags: ['*'] } }),
  'a project from the payload': (at) => withParams(at, { project: '{{project}}' }),
  'an allowed flag of another project': () => ({ allow: { flags: ['elsewhere'] } }),
  'an invalid allowed tag': () => ({ allow: { tags: [':x'] } }),
  'an unknown allowed environment': () => ({ allow: { environments: ['nowhere'] } }),
  'a URL of localhost': (at) => withAction(calling(at, 'http://localhost:4242/')),
  'a private address written as a number': (at) => withAction(calling(at, 'http://0xa9fea9fe/latest/meta-data')),
  'a URL of another scheme': (at) => withAction(calling(at, 'file:///etc/passwd')),
  ...Object.fromEntries(
    [
      'https://{{host}}/',
      'https://8.8.8.8{{path}}',
      'https://8.8.8.8:{{port}}/',
      'https://x:y@8.8.8.8/',
      '{{url}}',
    ].map((from) => [
      `a URL with a template in the host, or with a password: ${from}`,
      (at: ActionPlace) => withAction(calling(at, from)),
    ]),
  ),
  'a path with a .. segment': (at) => withAction(calling(at, `${url}/%2e./{{x}}`)),
  'a method from the payload': (at) => withAction(calling(at, url, { method: '{{method}}' })),
  'headers that are not JSON': (at) => withAction(calling(at, url, { headers: 'X-Of: us' })),
  ...Object.fromEntries(
    ['Host', 'Content-Length', 'Idempotency-Key'].map((name) => [
      `the reserved header ${name}`,
      (at: ActionPlace) => withAction(calling(at, url, { headers: JSON.stringify({ [name]: 'x' }) })),
    ]),
  ),
  'masked headers without a stored value': (at) => withAction(calling(at, url, { headers: '*****' })),
  'a JSON body with a template outside quotes': (at) => withAction(calling(at, url, { body: '{"load": {{load}}}' })),
  'a body with GET': (at) => withAction(calling(at, url, { method: 'GET', body: '{}' })),
  'an unknown trigger': (at) => match(at, {}, { trigger: 'sunrise' }),
  'silence as the trigger when the endpoint expects no signals': (at) => match(at, {}, { trigger: 'silence' }),
  'forEach when silence triggers the actions': async (at, server) =>
    match(await expecting(server, at), {}, { trigger: 'silence', forEach: 'alerts' }),
  'a filter on the state of a silence': async (at, server) =>
    match(await expecting(server, at), { 'silence.state': isIn(['ended']) }, { trigger: 'silence' }),
  'a release on the state of a silence': async (at, server) =>
    match(await expecting(server, at), {}, { trigger: 'silence', release: { 'silence.state': isIn(['began']) } }),
  'a release without filters when signals trigger the actions': (at) => match(at, {}, { release: {} }),
  'a release of silence when nothing is held': async (at, server) =>
    match(await expecting(server, at), {}, { trigger: 'silence', release: {} }),
  'a cool-down of zero': () => ({ guards: { cooldownSeconds: 0 } }),
  'a quorum with more tokens than signals': () => ({
    guards: { quorum: { signals: 1, tokens: 2, withinSeconds: 60 } },
  }),
};

/** Scenarios of invalid sets. */
export const refusedSets: readonly Scenario[] = Object.entries(invalid).map(([name, body]) => ({
  route: 'POST /api/admin/projects/:projectId/actions',
  name: `refuses ${name}`,
  given: async (server) => {
    const place = await givenActionPlace(server);
    return { params: { projectId: place.projectId }, body: setBody(place, await body(place, server)) };
  },
  status: 400,
}));
