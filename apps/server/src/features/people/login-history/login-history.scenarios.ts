import { asNewUser, givenUser, logIn } from '#testing/people.ts';
import { refusedTo, type Scenario } from '#testing/scenario.ts';

export const loginHistoryScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/logins',
    name: 'lists successful and failed logins, the newest first',
    given: async (server) => {
      await logIn(server.anonymous, await givenUser(server));
      await server.anonymous.call('POST /auth/simple/login', { body: { username: 'nobody-here', password: 'x' } });
      return { query: { limit: 2 } };
    },
    answer: {
      events: [
        {
          username: 'nobody-here',
          auth_type: 'simple',
          successful: false,
          ip: '127.0.0.1',
          failure_reason: 'wrong user name or password',
        },
        { auth_type: 'simple', successful: true, ip: '127.0.0.1', failure_reason: null },
      ],
    },
  },
  {
    route: 'GET /api/admin/user/logins',
    name: 'lists the logins of the caller',
    as: 'anonymous',
    given: asNewUser,
    answer: { events: [{ auth_type: 'simple', successful: true, ip: '127.0.0.1', failure_reason: null }] },
  },
  ...refusedTo('viewer', 'GET /api/admin/user/logins', 403, {
    'answers 403 to a service account': {},
  }),
];
