import { type RouteKey, routes } from '@yardarm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { translateDriverError } from '#storage/driver-errors.ts';
import type { ApiClient } from '#testing/client.ts';
import { givenEnabled } from '#testing/flags.ts';
import { createStorage, startServer, type TestServer, type TestStorage } from '#testing/server.ts';
import { onReads } from '#testing/statements.ts';
import { givenToken } from '#testing/tokens.ts';

describe('a server whose database is away', () => {
  let storage: TestStorage;
  let server: TestServer;
  let isAway = false;
  let secrets: { readonly backend: string; readonly frontend: string; readonly deleted: string };
  let flag: string;

  beforeAll(async () => {
    storage = await createStorage();
    const before = await startServer(storage);
    flag = (await givenEnabled(before)).featureName;
    const deleted = await givenToken(before);
    secrets = {
      backend: (await givenToken(before)).secret,
      frontend: (await givenToken(before, { type: 'frontend' })).secret,
      deleted: deleted.secret,
    };
    await before.admin.call('DELETE /api/admin/api-tokens/:token', { params: { token: deleted.id } });
    await before.stop();
    server = await startServer(
      storage,
      {},
      undefined,
      onReads(() => {
        if (isAway) throw translateDriverError(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }), 'reading');
      }),
    );
    isAway = true;
  });
  afterAll(async () => {
    isAway = false;
    await server?.stop();
    await storage.remove();
  });

  it('gives SDKs flags that have not sent their token since it started', async () => {
    const features = await server.client(secrets.backend).call('GET /api/client/features');
    expect(features.json.features).toMatchObject([{ name: flag, enabled: true }]);
    expect((await server.client(secrets.backend).call('GET /api/client/delta')).status).toBe(200);
    expect((await server.client(secrets.frontend).call('GET /api/frontend')).json.toggles).toMatchObject([
      { name: flag },
    ]);
    const ofrep = await server.client(secrets.frontend).call('POST /ofrep/v1/evaluate/flags', { body: {} });
    expect(ofrep.json.flags).toMatchObject([{ key: flag }]);
  });

  it('answers 503 for a token that is not in memory, such as a deleted one', async () => {
    const answer = await server.client(secrets.deleted).call('GET /api/client/features');
    expect(answer).toMatchObject({ status: 503, json: { name: 'ServiceUnavailableError' } });
  });

  /** The kinds of routes: those that only read, and those that change. */
  const kinds = Object.groupBy(Object.keys(routes) as RouteKey[], (key) =>
    key.startsWith('GET ') ? 'reads' : 'writes',
  );

  it.each(Object.entries(kinds))(
    'never says that a change may have been made when a read fails: %s',
    async (_, keys) => {
      const messages = new Set<string>();
      for (const key of keys ?? []) messages.add(await messageOf(server.client(`user:${'0'.repeat(64)}`), key));
      expect([...messages].filter((message) => /may or may not/.test(message))).toEqual([]);
      expect([...messages].some((message) => /database is unavailable/.test(message))).toBe(true);
    },
  );
});

/** Calls a route with parameters that name nothing. Returns the message of an answer of 503. */
async function messageOf(client: ApiClient, key: RouteKey): Promise<string> {
  const [method = '', path = ''] = key.split(' ');
  const { status, text } = await client.request(method, path.replaceAll(/:\w+/g, '1'));
  return status === 503 ? text : '';
}
