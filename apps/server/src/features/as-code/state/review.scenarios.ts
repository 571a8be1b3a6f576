import { expect } from 'vitest';
import { givenPlace } from '#testing/change-requests.ts';
import type { Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

type Place = Awaited<ReturnType<typeof givenPlace>>;

/** Returns the request of a Member whose changes in development are reviewed. */
function stating({ params: { projectId, featureName }, author }: Place, state: object) {
  const flags = { [featureName]: { environments: { development: state } } };
  return {
    headers: { authorization: author.token },
    body: { state: { version: 1, projects: { [projectId]: { flags } } }, changeRequests: true },
  };
}

const apply = 'POST /api/admin/state/apply';
const anyId = expect.any(Number);

export const reviewStateScenarios: readonly Scenario[] = [
  {
    route: 'POST /api/admin/state/plan',
    name: 'says what would be sent to review, which then needs no permission',
    given: async (server) => stating(await givenPlace(server), { enabled: true }),
    answer: { permissions: [], changeRequests: [{ environment: 'development', features: [expect.any(String)] }] },
  },
  {
    route: apply,
    name: 'sends to review what has to be reviewed',
    given: async (server) => stating(await givenPlace(server), { strategies: [{ name: 'default' }] }),
    answer: { changes: [], changeRequests: [{ id: anyId, environment: 'development', isNew: true }] },
    events: [
      { type: 'change-request-created', environment: 'development' },
      { type: 'change-added' },
      { type: 'change-request-sent-to-review' },
    ],
  },
  {
    route: apply,
    name: 'cancels its open change request when it asks for something else',
    given: async (server: TestServer) => {
      const place = await givenPlace(server);
      const { headers, body } = stating(place, { strategies: [{ name: 'default' }] });
      expect((await server.anonymous.call(apply, { headers, body })).status).toBe(200);
      return stating(place, { strategies: [{ name: 'default', title: 'Another' }] });
    },
    answer: { changeRequests: [{ isNew: true }] },
    events: [
      { type: 'change-request-cancelled' },
      { type: 'change-request-created' },
      { type: 'change-added' },
      { type: 'change-request-sent-to-review' },
    ],
  },
];
