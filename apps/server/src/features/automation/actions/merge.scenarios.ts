import { expect } from 'vitest';
import { type ActionPlace, type GivenSet, givenActionPlace, givenSet } from '#testing/actions.ts';
import { is } from '#testing/alerts.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const pairs = 'GET /api/admin/projects/:projectId/actions/pairs';
const merge = 'POST /api/admin/projects/:projectId/actions/:id/merge';

/** Returns the body of a set that holds the flag for each firing alert, or releases it for each resolved alert. */
export function forAlerts(
  { projectId: project, flag, endpoint }: ActionPlace,
  action: 'HOLD_FEATURE' | 'RELEASE_FEATURE',
  { params = {}, ...more }: { readonly params?: object; readonly [field: string]: unknown } = {},
) {
  const { environment, featureName } = flag;
  const isHold = action === 'HOLD_FEATURE';
  const executionParams = { project, environment, featureName, ...(isHold ? { effect: 'off' } : {}), ...params };
  return {
    name: isHold ? 'Hold off' : 'Release',
    match: {
      source: 'signal-endpoint',
      sourceId: endpoint.id,
      payload: { 'item.status': is(isHold ? 'firing' : 'resolved') },
      forEach: 'alerts',
    },
    actions: [{ action, sortOrder: 1, executionParams }],
    ...more,
  };
}

/** Creates a set that holds a flag and one that releases it. */
export async function givenPair(
  server: TestServer,
  more: { readonly releasing?: object; readonly holding?: object; readonly at?: ActionPlace } = {},
): Promise<{ readonly holding: GivenSet; readonly releasing: GivenSet }> {
  const place = more.at ?? (await givenActionPlace(server));
  return {
    holding: await givenSet(server, forAlerts(place, 'HOLD_FEATURE', { ...more.holding }), place),
    releasing: await givenSet(server, forAlerts(place, 'RELEASE_FEATURE', { ...more.releasing }), place),
  };
}

const mergeOf = async (server: TestServer, body: object, more: object = {}) => {
  const { holding, releasing } = await givenPair(server, more);
  const params = { projectId: holding.projectId, id: holding.id };
  return { params, body: { releasingId: releasing.id, ...body } };
};

export const mergeScenarios: readonly Scenario[] = [
  {
    route: pairs,
    name: 'lists a set that holds with the one that releases, and the set that would do both',
    given: async (server) => {
      const { holding } = await givenPair(server);
      return { params: { projectId: holding.projectId } };
    },
    answer: {
      pairs: [
        {
          holding: { name: 'Hold off' },
          releasing: { name: 'Release' },
          merged: { name: 'Hold off', match: { release: { 'item.status': is('resolved') } } },
          problems: [],
        },
      ],
    },
  },
  {
    route: merge,
    name: 'lets the holding set release, and disables the other',
    given: (server) => mergeOf(server, {}),
    answer: { name: 'Hold off', enabled: true, match: { release: { 'item.status': is('resolved') } } },
    events: [
      {
        type: 'actions-updated',
        project: expect.any(String),
        preData: { match: { release: null } },
        data: { match: { release: { 'item.status': is('resolved') } } },
      },
      {
        type: 'actions-updated',
        project: expect.any(String),
        preData: { name: 'Release', enabled: true },
        data: { enabled: false },
      },
    ],
  },
  {
    route: merge,
    name: 'deletes the releasing set when asked to',
    given: (server) => mergeOf(server, { afterwards: 'delete' }),
    events: [
      { type: 'actions-updated', project: expect.any(String) },
      { type: 'actions-deleted', project: expect.any(String), preData: { name: 'Release' } },
    ],
  },
  ...refused(merge, 409, {
    'answers 409 and changes nothing when the two differ': (server) =>
      mergeOf(server, {}, { releasing: { shadow: true } }),
    'answers 409 for a set that releases nothing of the other': async (server) => {
      const { holding } = await givenPair(server);
      const other = await givenSet(server, { name: 'Other' }, holding);
      return { params: { projectId: holding.projectId, id: holding.id }, body: { releasingId: other.id } };
    },
  }),
];
