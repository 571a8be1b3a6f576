import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '#testing/clock.ts';
import { startTestReplica, type TestReplica } from '#testing/replica.ts';

/** The tokens of the recorded server. */
const replicaToken = '*:*.protocol-one-replica';
const backend = '*:development.protocol-one-backend';
const frontend = '*:development.protocol-one-frontend';

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');
const recorded = fixture('protocol-1.sse');
const messages = recorded.trimEnd().split('\n\n');

/** Returns a message with members that no version has yet, in each of its objects. */
function withUnknownMembers(text: string): string {
  const [id, event, data = ''] = text.split('\n');
  const plant = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plant);
    if (typeof value !== 'object' || value === null) return value;
    return { aFutureMember: { of: ['a', 'later', 'version'] }, ...mapValues(value, plant) };
  };
  return [id, event, `data: ${JSON.stringify(plant(JSON.parse(data.slice('data: '.length))))}`].join('\n');
}

function mapValues(value: object, map: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, map(member)]));
}

const stream = { 'content-type': 'text/event-stream; charset=utf-8' };

describe('a replica behind an upstream', () => {
  let upstream: Server;
  let replica: TestReplica | undefined;
  let answer: RequestListener;
  beforeEach(async () => {
    upstream = createServer((request, response) => answer(request, response));
    await new Promise<void>((listening) => upstream.listen(0, '127.0.0.1', listening));
  });
  afterEach(async () => {
    await replica?.stop();
    replica = undefined;
    upstream.closeAllConnections();
    await new Promise((closed) => upstream.close(closed));
  });

  /** Starts a replica of an upstream that answers so. */
  async function start(listener: RequestListener): Promise<TestReplica> {
    answer = (request, response) => {
      if (request.method === 'POST') response.writeHead(202).end();
      else listener(request, response);
    };
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    replica = await startTestReplica({ url, clock: new TestClock() }, { replicaToken });
    return replica;
  }

  const lastId = 23;
  const expectRecordedAnswers = async (started: TestReplica) => {
    await started.replica.memory.reached({ id: lastId }, 10_000);
    const flags = await started.client(backend).request('GET', '/api/client/features');
    expect(flags.text).toBe(fixture('protocol-1.features.txt'));
    expect((await started.client(frontend).request('GET', '/api/frontend')).status).toBe(401);
    expect(started.replica.memory.frontendApiOrigins).toEqual(['https://app.example.com']);
  };

  it('reads the messages of version 1 of the protocol as they were recorded', async () => {
    const started = await start((_request, response) => {
      response.writeHead(200, stream);
      response.write(recorded);
    });
    await expectRecordedAnswers(started);
  });

  it('ignores members that it does not know', async () => {
    const started = await start((_request, response) => {
      response.writeHead(200, stream);
      for (const message of messages) response.write(`${withUnknownMembers(message)}\n\n`);
    });
    await expectRecordedAnswers(started);
  });

  it('reads messages that arrive byte by byte, and goes on where the connection ended', async () => {
    let connections = 0;
    const started = await start(async (request, response) => {
      response.writeHead(200, stream);
      const known = request.headers['last-event-id'];
      const from = messages.findIndex((message) => message.startsWith(`id: ${known}\n`)) + 1;
      connections++;
      // Each connection ends within the third message after its beginning.
      const rest = Buffer.from(`${messages.slice(from).join('\n\n')}\n\n`);
      const end =
        from + 2 < messages.length ? Buffer.byteLength(messages.slice(from, from + 2).join('\n\n')) + 20 : rest.length;
      for (let at = 0; at < end; at += 1 + (at % 7))
        response.write(rest.subarray(at, Math.min(end, at + 1 + (at % 7))));
      if (end < rest.length) response.end();
    });
    await expectRecordedAnswers(started);
    expect(connections).toBeGreaterThan(2);
  });

  const refusal =
    (status: number, message: string): RequestListener =>
    (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ name: 'UnauthorizedError', message }));
    };
  const send =
    (body: string, headers: Record<string, string> = stream): RequestListener =>
    (_request, response) => {
      response.writeHead(200, headers);
      response.end(body);
    };
  const faults: Readonly<Record<string, readonly [RequestListener, string]>> = {
    'refuses the token': [refusal(401, 'The API token is unknown or has expired.'), 'The API token is unknown'],
    'refuses a token of another kind': [refusal(403, 'This route requires a replica API token.'), 'requires a replica'],
    'has another version of the protocol': [refusal(400, 'protocol is 1; this server has version 2.'), 'has version 2'],
    'answers with HTML': [send('<html>', { 'content-type': 'text/html' }), 'so it is not a Yardarm server'],
    'answers 404': [refusal(404, 'There is no route.'), 'There is no route'],
    'ends the connection': [(request) => void request.socket.destroy(), 'cannot be reached'],
    'sends what is not JSON': [send('event: state\ndata: {"protocol":\n\n'), 'JSON'],
    'sends a state without flags': [send('event: state\ndata: {"protocol":1}\n\n'), 'flags'],
    'sends an update before a state': [send(`${messages[1]}\n\n`), 'update before a state'],
    'redirects to another server': [
      (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
      'redirect',
    ],
  };

  it.each(Object.entries(faults))('that %s serves nothing, and the log says why', async (_, [listener, told]) => {
    const started = await start(listener);
    await expect.poll(() => started.logged.join('\n'), { timeout: 10_000 }).toContain(told);
    expect((await started.client(backend).request('GET', '/api/client/features')).status).toBe(503);
    expect(started.logged.join('\n')).not.toContain('protocol-one-replica');
  });
});
