import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { calling, givenActionPlace, givenSet, runsOf, signal } from '../../apps/server/testing/actions.ts';
import { givenFlag } from '../../apps/server/testing/flags.ts';
import { givenIntegration } from '../../apps/server/testing/integrations.ts';
import { useServer } from '../../apps/server/testing/server.ts';

const server = useServer({ allowPrivateIntegrationUrls: true, signalEndpointsLimit: 1000 });
const folder = fileURLToPath(new URL('../../examples/verify-webhooks/', import.meta.url));

const built = mkdtempSync(join(tmpdir(), 'receiver-'));
beforeAll(() => {
  const cache = { GOCACHE: join(built, 'cache') };
  execFileSync(process.env['GO'] ?? 'go', ['build', '-o', join(built, 'receiver'), `${folder}receiver.go`], {
    env: { ...process.env, ...cache },
  });
}, 300_000);
afterAll(() => rmSync(built, { recursive: true }));

const receivers = {
  Node: [process.execPath, `${folder}receiver.mjs`],
  Python: ['/usr/bin/python3', `${folder}receiver.py`],
  Go: [join(built, 'receiver')],
} as const;
type Language = keyof typeof receivers;
const languages = Object.keys(receivers) as Language[];

/** Starts a receiver with a key. Returns its URL, and the messages that it accepts, one line for each. */
async function start(language: Language, key: string) {
  const [command, ...script] = receivers[language];
  const child = spawn(command, [...script, '0', key], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
  });
  const lines: string[] = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => void lines.push(line));
  const [first] = await once(reader, 'line');
  const port = Number(/\d+$/.exec(String(first))?.[0]);
  lines.length = 0;
  return { url: `http://127.0.0.1:${port}/`, lines };
}

/**
 * Creates a webhook, starts a receiver with its key and saves the URL of the receiver in the webhook. Returns the id of
 * the webhook, the receiver, and a function that sends a test event.
 */
async function webhookTo(language: Language, signing: 'hmac-sha256' | 'ed25519', keyOf = (key: string) => key) {
  const created = await givenIntegration(server(), { signing, parameters: { url: 'http://127.0.0.1:9/' } });
  const { id, signingSecret } = created as { id: number; signingSecret: string };
  const receiver = await start(language, keyOf(signingSecret));
  const body = { provider: 'webhook', enabled: true, parameters: { url: receiver.url }, events: ['feature-created'] };
  await server().admin.call('PUT /api/admin/addons/:id', { params: { id }, body });
  const test = async () =>
    (await server().admin.call('POST /api/admin/integrations/:id/test', { params: { id } })).json;
  return { id, receiver, test };
}

describe.each(languages)('the receiver in %s', (language) => {
  it.each(['hmac-sha256', 'ed25519'] as const)(
    'takes events that are signed with %s, also after a rotation',
    async (signing) => {
      const { id, receiver, test } = await webhookTo(language, signing);
      expect(await test()).toMatchObject({ delivered: true, status: 204 });
      await server().admin.call('POST /api/admin/integrations/:id/rotate-key', { params: { id }, body: { signing } });
      expect(await test()).toMatchObject({ delivered: true, status: 204 });
      const flag = await givenFlag(server());
      await server().app.service.deliveries.idle();
      expect(receiver.lines.join('\n')).toContain(flag.featureName);
      await server().admin.call('DELETE /api/admin/addons/:id', { params: { id } });
    },
  );

  it('refuses events of another key, and of no key', async () => {
    const other = await webhookTo(language, 'hmac-sha256', () => `whsec_${Buffer.alloc(32).toString('base64')}`);
    expect(await other.test()).toMatchObject({ delivered: false, status: 401 });
    expect((await fetch(other.receiver.url, { method: 'POST', body: '{}' })).status).toBe(401);
    expect(other.receiver.lines).toEqual([]);
  });

  it('takes action calls with the public key of the installation', async () => {
    const { keys } = (await server().admin.call('GET /api/admin/action-calls/signing-keys')).json;
    const receiver = await start(language, keys[0].publicKey);
    const place = await givenActionPlace(server());
    const action = calling(place, receiver.url, { body: '{"job": "{{job}}"}' });
    const set = await givenSet(server(), { actions: [action] }, place);
    await signal(server(), set, { job: 'nightly' });
    expect((await runsOf(server(), set))[0]).toMatchObject({ state: 'success' });
    expect(receiver.lines.join('\n')).toContain('{"job": "nightly"}');
  });
});
