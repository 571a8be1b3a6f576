import { describe, expect, it } from 'vitest';
import { givenUser, logIn } from '#testing/people.ts';
import { useServer } from '#testing/server.ts';
import { counted } from '#testing/statements.ts';
import { inactiveUserHandlers } from './inactive.ts';

const dayMs = 86_400_000;

describe('inactive users', () => {
  const server = useServer({ sessionIdleMinutes: 0, userInactivityDays: 30, sessionTtlHours: 8760 });

  it('are users not seen for the configured time, through sessions or tokens', async () => {
    const [gone, here] = [await givenUser(server()), await givenUser(server())];
    const session = await logIn(server().anonymous, here);
    server().clock.advance(29 * dayMs);
    expect((await server().anonymous.call('GET /api/admin/user', { headers: session })).status).toBe(200);
    // The time of last use is written some seconds later.
    await expect
      .poll(
        async () =>
          (await server().admin.call('GET /api/admin/user-admin/:id', { params: { id: here.id } })).json.seenAt,
        {
          timeout: 10_000,
        },
      )
      .not.toBeNull();
    server().clock.advance(2 * dayMs);
    const { json } = await server().admin.call('GET /api/admin/user-admin/inactive');
    const ids = json.inactiveUsers.map(({ id }: { id: number }) => id);
    expect(ids).toContain(gone.id);
    expect(ids).not.toContain(here.id);
    expect(json.inactiveUsers.find(({ id }: { id: number }) => id === gone.id)).toMatchObject({
      username: gone.username,
      email: `${gone.username}@example.com`,
      seenAt: null,
      patSeenAt: null,
    });
  });

  it('do not include the last administrator who can log in', async () => {
    const { status, json } = await server().admin.call('POST /api/admin/user-admin/inactive/delete', {
      body: { ids: [1] },
    });
    expect(`${status} ${json.name}`).toBe('403 OperationDeniedError');
  });

  it('are listed by a single statement', async () => {
    const { database } = server().app;
    const { db, counter } = counted(database);
    const handlers = inactiveUserHandlers({ ...database, db }, server().clock, 30);
    await handlers['GET /api/admin/user-admin/inactive']({} as never);
    expect(counter.statements).toBe(1);
  });
});
