import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../apps/server/testing/certificate.ts';
import { givenFlag } from '../../apps/server/testing/flags.ts';
import { givenIntegration } from '../../apps/server/testing/integrations.ts';
import { type TestServer, useServer } from '../../apps/server/testing/server.ts';
import { type Program, startProgram } from './program.ts';

const password = 'hush-Secret-42';
const events = ['feature-created'];

/** Creates an integration with the provider and a flag. Returns the flag and the delivery of its event. */
async function deliver(server: TestServer, provider: string, parameters: Readonly<Record<string, string>>) {
  const integration = await givenIntegration(server, { provider, parameters, events });
  const params = { id: integration.id };
  const { featureName } = await givenFlag(server);
  await server.app.service.deliveries.idle();
  const { json } = await server.admin.call('GET /api/admin/integrations/:id/deliveries', { params });
  const [delivery] = json.deliveries;
  if (delivery === undefined) throw new Error('nothing was delivered');
  const log = await server.admin.call('GET /api/admin/integrations/:id/deliveries/:deliveryId', {
    params: { ...params, deliveryId: delivery.id },
  });
  await server.admin.call('DELETE /api/admin/addons/:id', { params });
  expect(log.text).not.toContain(password);
  return { featureName, integration, delivery, text: log.text };
}

const cloudEvent = (featureName: string) => ({
  specversion: '1.0',
  type: 'yardarm.feature-created',
  subject: `projects/default/features/${featureName}`,
  data: { type: 'feature-created', featureName },
});

describe('a Redis stream', () => {
  const server = useServer({ allowPrivateIntegrationUrls: true });
  let redis: Program;
  beforeAll(async () => {
    redis = await startProgram('redis-server', ({ port, directory, certFile, keyFile }) => [
      ...['--port', '0', '--tls-port', String(port), '--bind', '127.0.0.1', '--dir', directory],
      ...['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', certFile],
      ...['--tls-auth-clients', 'no', '--requirepass', password, '--save', ''],
    ]);
  });
  afterAll(() => redis.stop());
  const parameters = () => ({
    url: `rediss://127.0.0.1:${redis.port}`,
    stream: 'flags',
    password,
    caCertificate: redis.ca,
  });

  it('receives events as CloudEvents, with a message id', async () => {
    const { featureName, delivery } = await deliver(server(), 'redis', parameters());
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1 });
    const tls = { tls: true, ca: redis.ca } as const;
    const client = createClient({ password, socket: { host: '127.0.0.1', port: redis.port, ...tls } });
    await client.connect();
    const [message] = (await client.xRange('flags', '-', '+')) ?? [];
    client.destroy();
    expect(message?.message['messageId']).toMatch(/^msg_/);
    expect(JSON.parse(message?.message['event'] ?? '')).toMatchObject(cloudEvent(featureName));
  });

  it.each([
    ['a wrong password', { password: 'not-the-password' }, 'Redis answered WRONGPASS.'],
    ['no password', { password: '' }, 'Redis answered NOAUTH.'],
    ['a certificate that nobody trusts', { caCertificate: '' }, 'SELF_SIGNED'],
  ])('is not reached with %s, and the log says why', async (_name, more, why) => {
    const { delivery, text } = await deliver(server(), 'redis', { ...parameters(), ...more });
    expect(delivery.state).toBe('waiting');
    expect(text).toContain(why);
  });
});

describe('NATS JetStream', () => {
  const server = useServer({ allowPrivateIntegrationUrls: true });
  let nats: Program;
  beforeAll(async () => {
    nats = await startProgram('nats-server', ({ port, directory, certFile, keyFile }) => [
      ...['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', directory],
      ...['--tls', '--tlscert', certFile, '--tlskey', keyFile, '--user', 'flags', '--pass', password],
    ]);
    await asClient((manager) => manager.streams.add({ name: 'FLAGS', subjects: ['yardarm.events.>'] }));
  });
  afterAll(() => nats.stop());

  async function asClient<T>(work: (manager: JetStreamManager, stream: JetStreamClient) => Promise<T>): Promise<T> {
    const servers = `127.0.0.1:${nats.port}`;
    const connection = await connect({ servers, user: 'flags', pass: password, tls: { ca: nats.ca } });
    try {
      return await work(await jetstreamManager(connection), jetstream(connection));
    } finally {
      await connection.close();
    }
  }

  const parameters = () => ({
    url: `tls://127.0.0.1:${nats.port}`,
    subject: 'yardarm.events',
    username: 'flags',
    password,
    caCertificate: nats.ca,
  });

  it('stores events as CloudEvents by their type, and a repetition once', async () => {
    const { featureName, delivery } = await deliver(server(), 'nats', parameters());
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1 });
    const subject = 'yardarm.events.feature-created';
    const stored = await asClient((manager) => manager.streams.getMessage('FLAGS', { last_by_subj: subject }));
    expect(stored?.json()).toMatchObject(cloudEvent(featureName));
    expect(stored?.header.get('Content-Type')).toBe('application/cloudevents+json');
    const msgID = stored?.header.get('Nats-Msg-Id') ?? '';
    expect(msgID).toMatch(/^msg_/);
    const repeated = await asClient((_manager, stream) => stream.publish(subject, '{}', { msgID }));
    expect(repeated.duplicate).toBe(true);
  });

  it.each([
    ['a wrong password', { password: 'not-the-password' }, 'NATS refused the user name'],
    ['a subject without a stream', { subject: 'nobody.listens' }, 'No JetStream stream takes this subject'],
    ['a certificate that nobody trusts', { caCertificate: '' }, 'SELF_SIGNED'],
  ])('is not reached with %s, and the log says why', async (_name, more, why) => {
    const { delivery, text } = await deliver(server(), 'nats', { ...parameters(), ...more });
    expect(delivery.state).toBe('waiting');
    expect(text).toContain(why);
  });
});

describe('syslog', () => {
  const server = useServer({ allowPrivateIntegrationUrls: true });
  let rsyslog: Program;
  beforeAll(async () => {
    rsyslog = await startProgram('rsyslogd', ({ port, directory, certFile, keyFile }) => {
      const file = join(directory, 'rsyslog.conf');
      const tls = `DefaultNetstreamDriverCAFile="${certFile}" DefaultNetstreamDriverCertFile="${certFile}"`;
      writeFileSync(
        file,
        `global(workDirectory="${directory}" DefaultNetstreamDriver="ossl" ${tls} DefaultNetstreamDriverKeyFile="${keyFile}")
module(load="imtcp" StreamDriver.Name="ossl" StreamDriver.Mode="1" StreamDriver.AuthMode="anon")
input(type="imtcp" port="${port}" address="127.0.0.1")
template(name="json" type="list") { property(name="jsonmesg") constant(value="\\n") }
action(type="omfile" file="${join(directory, 'messages')}" template="json")
`,
      );
      return ['-n', '-f', file, '-i', join(directory, 'rsyslog.pid')];
    });
  });
  afterAll(() => rsyslog.stop());

  it('takes events as RFC 5424 messages with structured data', async () => {
    const parameters = { url: `tls://127.0.0.1:${rsyslog.port}`, caCertificate: rsyslog.ca };
    const { featureName, delivery } = await deliver(server(), 'syslog', parameters);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1 });
    const messages = () =>
      readFileSync(join(rsyslog.directory, 'messages'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter((message) => message['programname'] === 'yardarm');
    await expect.poll(() => messages().length).toBe(1);
    const [message] = messages();
    expect(message).toMatchObject({ pri: '109', syslogfacility: '13', syslogseverity: '5' });
    expect(message['structured-data']).toContain(`flag="${featureName}"`);
    expect(message['structured-data']).toMatch(/messageId="msg_/);
    expect(message.msg).toContain(featureName);
  });

  it('is not sent to a server whose certificate nobody signed', async () => {
    const { delivery, text } = await deliver(server(), 'syslog', { url: `tls://127.0.0.1:${rsyslog.port}` });
    expect(delivery.state).toBe('waiting');
    expect(text).toContain('SELF_SIGNED');
  });
});

describe.each([
  ['redis', (port: number) => ({ url: `redis://127.0.0.1:${port}`, stream: 'flags', password })],
  ['nats', (port: number) => ({ url: `nats://127.0.0.1:${port}`, subject: 'flags', username: 'u', password })],
  ['syslog', (port: number) => ({ url: `tls://127.0.0.1:${port}`, caCertificate: makeCertificate().cert })],
])('%s', (provider, parametersOf) => {
  const server = useServer({ allowPrivateIntegrationUrls: true });

  it.each([
    ['closes the connection at once', (socket: Socket) => void socket.destroy()],
    [
      'sends something else',
      (socket: Socket) => void socket.end(`${'HTTP/1.1 400 Bad Request '.repeat(1000)}\r\n\r\n`),
    ],
  ])('is repeated when the server %s', async (_name, answer) => {
    const hostile = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.resume();
      answer(socket);
    }).listen(0, '127.0.0.1');
    await once(hostile, 'listening');
    const { port } = hostile.address() as AddressInfo;
    const { delivery } = await deliver(server(), provider, parametersOf(port));
    expect(delivery).toMatchObject({ state: 'waiting', attempts: 1 });
    hostile.close();
  });
});
