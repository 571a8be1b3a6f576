import { describe, expect, it } from 'vitest';
import { goodPassword, logIn } from '#testing/people.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { inviteLinkScenarios } from './invite-links.scenarios.ts';

describe('invite link routes', () => {
  const server = useServer();
  testScenarios(server, inviteLinkScenarios);

  it('let new users log in', async () => {
    const body = { name: 'any', expiresAt: '2099-01-01T00:00:00.000Z' };
    const { json } = await server().admin.call('POST /api/admin/invite-link/tokens', { body });
    const guest = { username: 'gil', name: 'Gil', email: 'gil@example.com', password: goodPassword };
    await server().anonymous.call('POST /invite/:token/signup', { params: { token: json.secret }, body: guest });
    expect(await logIn(server().anonymous, guest)).toEqual({ cookie: expect.any(String) });
  });
});
