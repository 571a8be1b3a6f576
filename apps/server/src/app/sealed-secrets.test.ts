import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load.ts';
import type { Config } from '#config/settings.ts';
import { tablesInOrder } from '#storage/backup/table-order.ts';
import { type ActionPlace, calling, givenActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenFlag } from '#testing/flags.ts';
import { clientSecret } from '#testing/identity-provider.ts';
import { givenIntegration } from '#testing/integrations.ts';
import { useReceiver } from '#testing/receiver.ts';
import { createStorage, startServer, type TestServer, type TestStorage } from '#testing/server.ts';
import { setOidc } from '#testing/single-sign-on.ts';
import { givenToken } from '#testing/tokens.ts';
import { forgetSecrets, sealed } from './sealed-secrets.ts';

const receiver = useReceiver();
const first = 'the first password of the installation';
const second = 'the second password of the installation';
const settings = {
  initAdminTokens: ['*:*.the-same-again'],
  allowPrivateIntegrationUrls: true,
  signalEndpointsLimit: 100,
  actionSetsLimit: 100,
};
/** Each secret is part of a field that must not be stored unencrypted. */
const secrets = ['path-of-hook', 'Bearer of-hook', 'header-of-hook', 'template-of-hook']
  .concat(['path-of-call', 'Bearer of-call', 'body-of-call'])
  .concat(['signing-key-of-a-sender', clientSecret]);

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function storage(): Promise<TestStorage> {
  const created = await createStorage();
  cleanUps.push(() => created.remove());
  return created;
}

/** Starts a server that is stopped after the test, unless the test stops it. */
async function start(on: TestStorage, more: Partial<Config>): Promise<TestServer> {
  const server = await startServer(on, { ...settings, ...more });
  cleanUps.push(() => server.stop());
  return server;
}

interface Given {
  readonly integrationId: number;
  readonly set: ActionPlace & { readonly id: number };
}

/** Creates an integration, an action set with a waiting call, single sign-on and an API token, each with secrets. */
async function givenSecrets(server: TestServer): Promise<Given> {
  const { id: integrationId } = await givenIntegration(server, {
    parameters: {
      url: `${receiver().url}/path-of-hook`,
      authorization: 'Bearer of-hook',
      customHeaders: '{"x-hook": "header-of-hook"}',
      bodyTemplate: '{"key": "template-of-hook"}',
    },
    events: ['feature-archived'],
  });
  const place = await givenActionPlace(server);
  const call = calling(place, `${receiver().url}/path-of-call`, {
    headers: '{"authorization": "Bearer of-call"}',
    body: '{"key": "body-of-call"}',
  });
  const set = await givenSet(server, { actions: [call] }, place);
  receiver().answer('/path-of-call', 503);
  await signal(server, set);
  await setOidc(server, { discoverUrl: 'https://localhost:1' });
  await givenToken(server);
  await givenSender(server);
  receiver().received.splice(0);
  return { integrationId, set };
}

/** Creates an endpoint with a token that verifies the signatures of the sender. */
async function givenSender(server: TestServer): Promise<void> {
  const body = { name: 'sender', source: 'github' } as const;
  const { json } = await server.admin.call('POST /api/admin/signal-endpoints', { body });
  await server.admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
    params: { signalEndpointId: json.id },
    body: { name: 'first', authentication: 'signature', secret: 'signing-key-of-a-sender' },
  });
}

/** Sends a signal that is signed with a key; returns the status. */
async function sendSigned(server: TestServer, key: string): Promise<number> {
  const signature = `sha256=${createHmac('sha256', key).update('{}').digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
  return (await server.anonymous.request('POST', '/api/signal-endpoint/sender', { raw: '{}', headers })).status;
}

/** Returns all rows of all tables as one JSON text. */
async function stored({ app }: TestServer): Promise<string> {
  const rows = [];
  for (const table of tablesInOrder) rows.push(await app.database.db.selectFrom(table).selectAll().execute());
  return JSON.stringify(rows);
}

const readable = (rows: string) =>
  secrets.filter((secret) => rows.includes(secret) || rows.includes(JSON.stringify(secret).slice(1, -1)));

/**
 * Returns the requests to the receiver since the previous call, or since the secrets were given: for an event, for the
 * call that waited, and for a new call.
 */
async function sentBy(server: TestServer, { set }: Given) {
  const flag = await givenFlag(server);
  await server.admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params: flag });
  await server.app.service.deliveries.idle();
  server.clock.advance(60_000);
  await server.app.service.deliveries.idle();
  await signal(server, set);
  return receiver()
    .received.splice(0)
    .map(({ path, headers, body }) => `${path} ${headers.authorization} ${headers['x-hook'] ?? '-'} ${body}`);
}

const ofHook = '/path-of-hook Bearer of-hook header-of-hook {"key": "template-of-hook"}';
const ofCall = '/path-of-call Bearer of-call - {"key": "body-of-call"}';

describe('secrets in the database', () => {
  it('are encrypted with UNLEASH_SECRET, and used after a restart', async () => {
    const there = await storage();
    const server = await start(there, { secret: first, readableSecrets: true });
    const given = await givenSecrets(server);
    expect(readable(await stored(server))).toEqual([]);
    // Signing keys of integrations begin with whsk_.
    expect(await stored(server)).not.toContain('whsk_');
    const [run] = await runsOf(server, given.set);
    expect(run.actionSet.actions[0].call).toMatchObject({ body: '{"key": "body-of-call"}', state: 'queued' });
    await server.stop();
    const again = await start(there, { secret: first, readableSecrets: true });
    expect((await sentBy(again, given)).toSorted()).toEqual([ofCall, ofCall, ofHook]);
    expect(await sendSigned(again, 'signing-key-of-a-sender')).toBe(200);
    expect(readable(await stored(again))).toEqual([]);
    expect(again.logged.join()).not.toContain('UNLEASH_SECRET');
  });

  it('are readable without UNLEASH_SECRET, which the start says, and encrypted by the first start with it', async () => {
    const there = await storage();
    const server = await start(there, {});
    expect(server.logged.join()).toContain('UNLEASH_SECRET is not set');
    const given = await givenSecrets(server);
    expect(readable(await stored(server))).toEqual(secrets);
    // A start without UNLEASH_SECRET has nothing to encrypt.
    for (const kind of sealed)
      for await (const rows of kind.stale(server.app.database.db, 'plain:')) expect([kind.label, rows]).toEqual([]);
    await server.stop();
    const again = await start(there, { secret: first });
    expect(readable(await stored(again))).toEqual([]);
    expect((await sentBy(again, given)).toSorted()).toEqual([ofCall, ofCall, ofHook]);
  });

  it('are encrypted again under a new UNLEASH_SECRET by a start that also has the old one', async () => {
    const there = await storage();
    const server = await start(there, { secret: first, readableSecrets: true });
    const given = await givenSecrets(server);
    const signingKeys = await server.admin.call('GET /api/admin/action-calls/signing-keys');
    await server.stop();
    const both = await start(there, { secret: second, previousSecret: first, readableSecrets: true });
    expect(await sentBy(both, given)).toHaveLength(3);
    await both.stop();
    const again = await start(there, { secret: second, readableSecrets: true });
    expect((await sentBy(again, given)).toSorted()).toEqual([ofCall, ofHook]);
    expect((await again.admin.call('GET /api/admin/action-calls/signing-keys')).json).toEqual(signingKeys.json);
    const tokens = await again.admin.call('GET /api/admin/api-tokens');
    expect(tokens.json.tokens.filter(({ secret }: { secret?: string }) => secret === undefined)).toEqual([]);
    await again.stop();
    await expect(start(there, { secret: first })).rejects.toThrow('UNLEASH_SECRET');
  });

  it.each([
    ['another UNLEASH_SECRET', 'not the first'],
    ['no UNLEASH_SECRET', undefined],
  ])('have a start with %s refused, which names what cannot be read and changes nothing', async (_how, secret) => {
    const there = await storage();
    const server = await start(there, { secret: first, readableSecrets: true });
    const { integrationId, set } = await givenSecrets(server);
    await server.stop();
    const refused = await start(there, { secret }).then(
      () => 'started',
      (error: Error) => error.message,
    );
    expect(refused).toContain(`integration ${integrationId}`);
    expect(refused).toContain(`action set ${set.id}`);
    expect(refused).toMatch(/queued call \d/);
    expect(refused).toMatch(/run \d/);
    expect(refused).toMatch(/API token \d/);
    expect(refused).toMatch(/signing secret of signal token \d/);
    expect(refused).toContain('client secret of single sign-on');
    expect(refused).toContain('UNLEASH_SECRET_PREVIOUS');
    expect((await start(there, { secret: first })).url).toBeTruthy();
  });

  it('that are lost with their UNLEASH_SECRET can be removed, and set again', async () => {
    const there = await storage();
    const server = await start(there, { secret: first, readableSecrets: true });
    const slack = await givenIntegration(server, {
      provider: 'slack',
      parameters: { url: `${receiver().url}/path-of-slack` },
      events: ['feature-archived'],
    });
    const { integrationId, set } = await givenSecrets(server);
    await server.stop();
    const config = { ...loadConfig({}), ...there.settings, secret: second };
    const owners = await forgetSecrets(config, (error) => {
      throw error;
    });
    expect(owners).toContain(`integration ${slack.id}, ${integrationId}`);
    expect(await forgetSecrets(config, () => undefined)).toEqual([]);
    const again = await start(there, { secret: second });
    expect(await sendSigned(again, '')).toBe(401);
    const params = { id: integrationId };
    const { json } = await again.admin.call('GET /api/admin/addons/:id', { params });
    expect(json.parameters).toEqual({});
    const body = { ...json, parameters: { url: `${receiver().url}/path-of-hook` } };
    expect((await again.admin.call('PUT /api/admin/addons/:id', { params, body })).status).toBe(200);
    expect(await runsOf(again, set)).toMatchObject([{ state: 'failed', actionSet: { actions: [] } }]);
    await signal(again, set);
    expect(await runsOf(again, set)).toMatchObject([{ state: 'failed' }, { state: 'failed' }]);
    // An integration without a URL fails; the others are sent.
    await again.admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', {
      params: await givenFlag(again),
    });
    await again.app.service.deliveries.idle();
    expect(receiver().received.map(({ path }) => path)).toEqual(['/path-of-hook']);
    const deliveries = await again.admin.call('GET /api/admin/integrations/:id/deliveries', { params: slack });
    expect(deliveries.json.deliveries).toMatchObject([{ state: 'dead', details: expect.stringContaining('URL') }]);
  });
});
