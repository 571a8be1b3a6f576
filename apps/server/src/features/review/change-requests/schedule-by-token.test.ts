import { describe, expect, it } from 'vitest';
import { givenCaller } from '#testing/access.ts';
import { givenScheduled } from '#testing/change-requests.ts';
import { useServer } from '#testing/server.ts';

describe('a change request scheduled by an admin token', () => {
  const server = useServer({
    initAdminTokens: ['*:*.the-first-admin-token', '*:*.the-second-admin-token'],
    initBackendTokens: ['*:development.a-backend-token'],
  });

  it('is suspended when the last admin token of its name is deleted, though a backend token has that name', async () => {
    const { client } = await givenCaller(server(), 'Admin');
    const request = await givenScheduled(server());
    const { tokens }: { tokens: { id: number; type: string; tokenName: string }[] } = (
      await client.call('GET /api/admin/api-tokens')
    ).json;
    expect(new Set(tokens.map(({ tokenName }) => tokenName))).toEqual(new Set(['admin']));
    const [first, second] = tokens.filter(({ type }) => type === 'admin');
    const scheduleAfterDeleting = async (token?: { readonly id: number }) => {
      const params = { token: token?.id ?? 0 };
      expect((await client.call('DELETE /api/admin/api-tokens/:token', { params })).status).toBe(200);
      const route = 'GET /api/admin/projects/:projectId/change-requests/:id';
      return (await client.call(route, { params: request.at })).json.schedule;
    };
    expect(await scheduleAfterDeleting(first)).toMatchObject({ status: 'pending' });
    expect(await scheduleAfterDeleting(second)).toMatchObject({
      status: 'suspended',
      reason: expect.stringMatching(/no longer exists/),
    });
  });
});

describe('a change request scheduled by an admin token that expires', () => {
  const server = useServer({ initAdminTokens: ['*:*.the-admin-token'] });

  it('is suspended when it is due', async () => {
    const { client } = await givenCaller(server(), 'Admin');
    const { at } = await givenScheduled(server(), { inMs: 3_600_000 });
    const { tokens }: { tokens: { id: number; type: string }[] } = (await client.call('GET /api/admin/api-tokens'))
      .json;
    const expiresAt = new Date(server().clock.now() + 1_800_000).toISOString();
    for (const { id } of tokens)
      await client.call('PUT /api/admin/api-tokens/:token', { params: { token: id }, body: { expiresAt } });
    server().clock.advance(3_600_000);
    await server().app.service.schedules.runDue();
    const route = 'GET /api/admin/projects/:projectId/change-requests/:id';
    expect((await client.call(route, { params: at })).json).toMatchObject({
      state: 'Scheduled',
      schedule: { status: 'suspended', reason: expect.stringMatching(/no longer exists or has expired/) },
    });
  });
});
