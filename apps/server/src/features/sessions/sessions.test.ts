import { describe, expect, it } from 'vitest';
import { givenUser, logIn } from '../../../testing/people.ts';
import { runScenario } from '../../../testing/scenario.ts';
import { useServer } from '../../../testing/server.ts';
import { sessionScenarios } from './scenarios.ts';

describe('routes of my sessions', () => {
  const server = useServer();
  for (const scenario of sessionScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }

  it('an ended one opens nothing, and the others go on', async () => {
    const user = await givenUser(server());
    const [first, second] = [await logIn(server().nobody, user), await logIn(server().nobody, user)];
    const list = async (headers: typeof first) => server().nobody.call('GET /api/admin/user/sessions', { headers });
    const [, elsewhere] = (await list(second)).json.sessions;
    await server().nobody.call('DELETE /api/admin/user/sessions/:id', {
      headers: second,
      params: { id: elsewhere.id },
    });
    expect((await list(first)).status).toBe(401);
    expect((await list(second)).json.sessions).toMatchObject([{ current: true }]);
  });
});
