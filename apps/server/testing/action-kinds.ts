import { type ActionPlace, givenActionPlace, givenSet, signal } from './actions.ts';
import { author } from './database.ts';
import { addStrategy, givenFlagIn } from './flags.ts';
import { givenPlan, rolloutTo } from './release-plans.ts';
import type { ExpectedEvent } from './scenario.ts';
import type { TestServer } from './server.ts';

/** A test case of an action kind, on a flag that is prepared for it. */
export interface KindCase {
  readonly name: string;
  /** Prepares the flag so that the action changes it. Returns further parameters. */
  readonly prepare: (server: TestServer, place: ActionPlace) => Promise<object>;
  readonly action: string;
  /** Parameters apart from the project and the flag. */
  readonly params: object;
  /** The events that the action records. */
  readonly events: readonly ExpectedEvent[];
  /** The events that taking the run back records; null for a change that cannot be taken back. */
  readonly back: readonly ExpectedEvent[] | null;
}

const inDevelopment = { environment: 'development' };
const nothing = async () => ({});
const switching =
  (state: 'on' | 'off') =>
  async (server: TestServer, { flag }: ActionPlace) => {
    const route =
      `POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/${state}` as const;
    await server.admin.call(route, { params: flag });
    return {};
  };
/** Prepares a flag that is on and held by the run of another set, which is then disabled. */
const held = (how: object) => async (server: TestServer, place: ActionPlace) => {
  await switching('on')(server, place);
  const { projectId, flag, endpoint } = place;
  const { projectId: _, ...where } = flag;
  const actions = [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams: { project: projectId, ...where, ...how } }];
  const { id } = await givenSet(server, { actions }, place);
  await signal(server, { endpoint });
  await server.admin.call('POST /api/admin/projects/:projectId/actions/:id/off', { params: { projectId, id } });
  return {};
};
/**
 * Prepares a flag with a hold as an older version stored it, without an action set: it belongs to the first action set
 * that uses its key.
 */
const heldBefore = (how: object) => async (server: TestServer, place: ActionPlace) => {
  await held(how)(server, place);
  await server.app.database.writeQuietly('action runs', author, (tx) =>
    tx.db
      .updateTable('feature_leases')
      .set({ action_set_id: null, renewed_by_run_id: null })
      .where('feature_name', '=', place.flag.featureName)
      .execute(),
  );
  return {};
};
const tag = { type: 'simple', value: 'payments' };
const tagged = async (server: TestServer, { flag }: ActionPlace) => {
  await server.admin.call('POST /api/admin/features/:featureName/tags', { params: flag, body: tag });
  return {};
};
const rollout = { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'default', groupId: 'group' } };
const withStrategy =
  (more: object) =>
  async (server: TestServer, { flag }: ActionPlace) => {
    await addStrategy(server, flag, { name: 'default' });
    return { strategyId: await addStrategy(server, flag, { ...rollout, ...more }) };
  };
const onlyRollout = async (server: TestServer, { flag }: ActionPlace) => {
  await addStrategy(server, flag, rollout);
  return {};
};
const variant = (name: string, weight: number) => ({ name, weight, weightType: 'variable', stickiness: 'default' });
const withVariants = async (server: TestServer, { flag }: ActionPlace) => {
  const route = 'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants';
  await server.admin.call(route, { params: flag, body: [variant('a', 500), variant('b', 500)] });
  return {};
};
const update = (before: object, after: object): ExpectedEvent => ({
  type: 'feature-strategy-update',
  ...inDevelopment,
  preData: before,
  data: after,
});
const at = (percentage: string) => ({ parameters: { rollout: percentage } });
const variantsChanged: ExpectedEvent = { type: 'feature-environment-variants-updated', ...inDevelopment };
const [on, off]: ExpectedEvent[] = [
  { type: 'feature-environment-enabled', ...inDevelopment },
  { type: 'feature-environment-disabled', ...inDevelopment },
];
const is = (type: ExpectedEvent['type']): ExpectedEvent => ({ type });

/** The test cases of all action kinds for one flag. */
export const kindCases: readonly KindCase[] = [
  {
    name: 'turns a flag on',
    prepare: nothing,
    action: 'TOGGLE_FEATURE_ON',
    params: inDevelopment,
    events: [is('feature-strategy-add'), on as ExpectedEvent],
    back: [off as ExpectedEvent, is('feature-strategy-remove')],
  },
  {
    name: 'turns a flag off',
    prepare: switching('on'),
    action: 'TOGGLE_FEATURE_OFF',
    params: inDevelopment,
    events: [off as ExpectedEvent],
    back: [on as ExpectedEvent],
  },
  {
    name: 'holds a flag off',
    prepare: switching('on'),
    action: 'HOLD_FEATURE',
    params: { ...inDevelopment, effect: 'off', minutes: 30 },
    events: [is('feature-lease-placed'), is('feature-effective-state-changed')],
    back: [is('feature-lease-released'), is('feature-effective-state-changed')],
  },
  {
    name: 'holds a flag for longer',
    prepare: heldBefore({ effect: 'off', minutes: 10 }),
    action: 'HOLD_FEATURE',
    params: { ...inDevelopment, effect: 'off', minutes: 30 },
    events: [is('feature-lease-updated')],
    back: [is('feature-lease-updated')],
  },
  {
    name: 'releases a flag',
    prepare: held({ effect: 'off' }),
    action: 'RELEASE_FEATURE',
    params: inDevelopment,
    events: [is('feature-lease-released'), is('feature-effective-state-changed')],
    back: [is('feature-lease-placed'), is('feature-effective-state-changed')],
  },
  {
    name: 'sets the percentage of the only gradual rollout',
    prepare: onlyRollout,
    action: 'SET_ROLLOUT',
    params: { ...inDevelopment, rollout: 25 },
    events: [update(at('100'), at('25'))],
    back: [update(at('25'), at('100'))],
  },
  {
    name: 'disables a strategy',
    prepare: withStrategy({}),
    action: 'DISABLE_STRATEGY',
    params: inDevelopment,
    events: [update({ disabled: false }, { disabled: true })],
    back: [update({ disabled: true }, { disabled: false })],
  },
  {
    name: 'enables a strategy',
    prepare: withStrategy({ disabled: true }),
    action: 'ENABLE_STRATEGY',
    params: inDevelopment,
    events: [update({ disabled: true }, { disabled: false })],
    back: [update({ disabled: false }, { disabled: true })],
  },
  {
    name: 'sets the weight of a variant of the flag',
    prepare: withVariants,
    action: 'SET_VARIANT_WEIGHT',
    params: { ...inDevelopment, variant: 'a', weight: 0 },
    events: [variantsChanged],
    back: [variantsChanged],
  },
  {
    name: 'sets the weight of a variant of a strategy',
    prepare: withStrategy({ variants: [variant('a', 500), variant('b', 500)] }),
    action: 'SET_VARIANT_WEIGHT',
    params: { ...inDevelopment, variant: 'a', weight: 100 },
    events: [
      update({ variants: [{ weight: 500 }, { weight: 500 }] }, { variants: [{ weight: 100 }, { weight: 900 }] }),
    ],
    back: [is('feature-strategy-update')],
  },
  {
    name: 'approves the milestone of a release plan',
    prepare: async (server, { flag }) => {
      const approval = { by: 'action' };
      const waiting = { ...rolloutTo(10), transitionCondition: { intervalMinutes: 60, approval } };
      await givenPlan(server, [waiting, rolloutTo(100)], flag);
      return {};
    },
    action: 'APPROVE_MILESTONE',
    params: { ...inDevelopment, milestone: '10 %' },
    events: [{ type: 'release-plan-milestone-approved', ...inDevelopment, data: { by: 'action' } }],
    back: null,
  },
  {
    name: 'marks a flag as stale',
    prepare: nothing,
    action: 'MARK_STALE',
    params: {},
    events: [is('feature-stale-on')],
    back: [is('feature-stale-off')],
  },
  {
    name: 'removes the stale mark of a flag',
    prepare: async (server, { flag }) => {
      const body = [{ op: 'replace', path: '/stale', value: true }];
      await server.admin.call('PATCH /api/admin/projects/:projectId/features/:featureName', { params: flag, body });
      return {};
    },
    action: 'UNMARK_STALE',
    params: {},
    events: [is('feature-stale-off')],
    back: [is('feature-stale-on')],
  },
  {
    name: 'adds a tag',
    prepare: async (server, place) => {
      // Another flag has the tag already, because creating a new tag would be a further event.
      await tagged(server, { ...place, flag: await givenFlagIn(server) });
      return {};
    },
    action: 'ADD_TAG',
    params: { tag: 'simple:payments' },
    events: [{ type: 'feature-tagged', data: tag }],
    back: [{ type: 'feature-untagged', preData: tag }],
  },
  {
    name: 'removes a tag',
    prepare: tagged,
    action: 'REMOVE_TAG',
    params: { tag: 'simple:payments' },
    events: [{ type: 'feature-untagged', preData: tag }],
    back: [{ type: 'feature-tagged', data: tag }],
  },
];

/** Prepares a case and returns the actions of a set for it. */
export async function givenCase(server: TestServer, { prepare, action, params }: KindCase) {
  const place = await givenActionPlace(server);
  const { featureName } = place.flag;
  const more = await prepare(server, place);
  const executionParams = { project: place.projectId, featureName, ...params, ...more };
  return { place, actions: [{ action, sortOrder: 1, executionParams }] };
}
