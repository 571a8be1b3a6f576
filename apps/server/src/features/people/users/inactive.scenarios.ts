import { givenUser } from '#testing/people.ts';
import { refused, type Scenario } from '#testing/scenario.ts';

const list = 'GET /api/admin/user-admin/inactive';
const remove = 'POST /api/admin/user-admin/inactive/delete';

/** Scenarios of inactive users. They run last, because some advance the clock. */
export const inactiveScenarios: readonly Scenario[] = [
  { route: list, name: 'lists no new users', answer: { version: 1, inactiveUsers: [] } },
  {
    route: remove,
    name: 'deletes inactive users',
    given: async (server) => {
      const { id } = await givenUser(server);
      server.clock.advance(181 * 86_400_000);
      return { body: { ids: [id, id] } };
    },
    events: [{ type: 'user-deleted', data: null, preData: { rootRole: 3 } }],
  },
  ...refused(remove, 400, {
    'deletes no user when one of them is active': async (server) => {
      const unseen = await givenUser(server);
      server.clock.advance(181 * 86_400_000);
      return { body: { ids: [unseen.id, (await givenUser(server)).id] } };
    },
  }),
];
