import { describe, expect, it } from 'vitest';
import { givenUser, logIn } from '#testing/people.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { allTokenScenarios } from './all-tokens.scenarios.ts';

describe('routes of all tokens', () => testScenarios(useServer(), allTokenScenarios));

describe('a token that an administrator deletes', () => {
  const server = useServer();

  it('is refused at once, and its owner no longer has it', async () => {
    const headers = await logIn(server().anonymous, await givenUser(server()));
    const body = { description: 'laptop', expiresAt: '2099-01-01T00:00:00Z' };
    const { json } = await server().anonymous.call('POST /api/admin/user/tokens', { headers, body });
    const { json: kept } = await server().anonymous.call('POST /api/admin/user/tokens', {
      headers,
      body: { ...body, description: 'phone' },
    });
    const status = async (secret: string) => (await server().client(secret).call('GET /api/admin/user')).status;
    expect(await status(json.secret)).toBe(200);
    const params = { id: json.id };
    expect((await server().admin.call('DELETE /api/admin/personal-tokens/:id', { params })).status).toBe(200);
    expect([await status(json.secret), await status(kept.secret)]).toEqual([401, 200]);
    const { pats } = (await server().anonymous.call('GET /api/admin/user/tokens', { headers })).json;
    expect(pats).toMatchObject([{ description: 'phone' }]);
  });
});
