import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { tablesInOrder } from '#storage/backup/table-order.ts';
import { sql } from '#storage/tx.ts';
import { freshName } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenToken, send } from '#testing/signals.ts';
import { openedHashKey } from './store.ts';

const email = 'eve@secret.example';
const hashPattern = /^hmac-sha256:[0-9a-f]{64}$/;

describe('hashed values of a signal endpoint', () => {
  const server = useServer({ signalEndpointsLimit: 1000, secret: 'for hashed values' });
  const given = async (more: object) => {
    const body = { name: freshName('e'), ...more };
    const { json } = await server().admin.call('POST /api/admin/signal-endpoints', { body });
    const { secret } = await givenToken(server(), json.id, 'script');
    const post = async (payload: unknown) => {
      const reply = await send(server(), { name: json.name, token: secret }, JSON.stringify(payload));
      expect(reply.status, reply.text).toBe(200);
      return reply.json.signals[0];
    };
    const update = (changes: object) =>
      server().admin.call('PUT /api/admin/signal-endpoints/:id', {
        params: { id: json.id },
        body: { name: json.name, ...changes },
      });
    return { id: json.id as number, post, update };
  };
  /** Every value of every table as text. */
  const everything = async () => {
    const { db } = server().app.database;
    const tables = await Promise.all(
      tablesInOrder.map(async (table) => (await sql`select * from ${sql.table(table)}`.execute(db)).rows),
    );
    return JSON.stringify(tables);
  };
  const storedKey = async (id: number) => {
    const { db } = server().app.database;
    const { rows } = await sql<{ key: string }>`
      select hash_key as key from signal_endpoints where id = ${id}`.execute(db);
    return { key: `${rows[0]?.key}`, opened: openedHashKey(db, `${rows[0]?.key}`) };
  };

  it('are stored nowhere, and are recognised, repeated and shown as their hashes', async () => {
    const fields = { title: 'user.email', deliveryId: 'user.email', fingerprint: 'user.email' };
    const { id, post } = await given({ hashed: ['user.email'], fields });
    const first = await post({ user: { email }, other: 'kept' });
    const hash = first.payload.user.email;
    expect(hash).toMatch(hashPattern);
    expect(first).toMatchObject({
      payload: { other: 'kept' },
      normalized: { title: hash, fingerprint: hash },
    });
    expect((await post({ user: { email } })).id).toBe(first.id);
    const { opened } = await storedKey(id);
    expect(hash).toBe(`hmac-sha256:${createHmac('sha256', opened).update(email).digest('hex')}`);
    await server().admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/signals', {
      params: { signalEndpointId: id },
      body: { payload: { user: { email } } },
    });
    const all = await everything();
    expect(all).toContain(hash);
    expect(all).not.toContain(email);
    expect(server().logged.join()).not.toContain(email);
  });

  it('are equal for equal values only, in all signals of the endpoint, also after its paths were changed', async () => {
    const { post, update } = await given({ hashed: ['user'] });
    const hashOf = async (user: unknown) => (await post({ user })).payload.user;
    const eve = await hashOf('eve');
    expect(await hashOf('bob')).not.toBe(eve);
    await update({ hashed: [] });
    expect(await hashOf('eve')).toBe('eve');
    await update({ hashed: ['user', 'by'] });
    expect(await hashOf('eve')).toBe(eve);
    const other = await given({ hashed: ['user'] });
    expect((await other.post({ user: 'eve' })).payload.user).not.toBe(eve);
  });

  it.each([
    ['in each element of arrays', { alerts: [{ by: email }, [{ by: email }]] }, 'alerts.by'],
    ['as the elements of an array', { users: [email, [email]] }, 'users'],
    ['under a key with a dot', { 'user.email': email, user: { email } }, 'user.email'],
    ['as a whole branch', { user: { a: [email] } }, 'user'],
    ['under the key __proto__', JSON.parse(`{"__proto__":{"email":"${email}"},"b":1}`), '__proto__.email'],
    ['at the key __proto__', JSON.parse(`{"__proto__":"${email}"}`), '__proto__'],
  ])('are hashed %s', async (_name, payload, path) => {
    const { post } = await given({ hashed: [path] });
    const text = JSON.stringify(await post(payload));
    expect(text).not.toContain('eve@');
    expect(text).toContain('hmac-sha256:');
  });

  it('hash numbers like their texts, keep null, and are removed where they are dropped as well', async () => {
    const { post } = await given({ hashed: ['id', 'none', 'both'], dropped: ['both'] });
    const [number, text] = [await post({ id: 7, none: null, both: email }), await post({ id: '7' })];
    expect(number.payload).toEqual({ id: text.payload.id, none: null });
    expect(number.payload.id).toMatch(hashPattern);
  });

  it('have a key that is stored encrypted, and told in no answer and no event', async () => {
    const { id, update } = await given({});
    expect(await storedKey(id)).toEqual({ key: '', opened: '' });
    const before = await lastEventId(server());
    const { text } = await update({ hashed: ['user'] });
    const { key, opened } = await storedKey(id);
    expect(opened).toMatch(/^hash_[A-Za-z0-9_-]{43}$/);
    expect(key).not.toContain(opened);
    expect(text).not.toContain('hash_');
    const events = await eventsAfter(server(), before);
    expect(events).toMatchObject([
      { type: 'signal-endpoint-updated', preData: { hashed: [] }, data: { hashed: ['user'] } },
    ]);
    expect(JSON.stringify(events)).not.toContain(opened);
  });
});
