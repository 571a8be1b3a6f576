import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/** A message of the workspace, as it is now. */
export interface SlackMessage {
  readonly channel: string;
  readonly ts: string;
  /** The `ts` of the message that this message replies to. */
  readonly threadTs: string | undefined;
  text: string;
  blocks: string;
}

/**
 * A fake Slack workspace with one channel and one bot, which answers the documented requests
 * (docs/spec#integration-requests).
 */
export interface Slack {
  /** The URL below which methods are called. */
  readonly url: string;
  readonly token: string;
  readonly messages: SlackMessage[];
  /** The methods that were called, in order. */
  readonly calls: string[];
  /**
   * Makes the next calls of a method fail with these errors. With `lost`, a call takes effect, but its connection is
   * closed without an answer.
   */
  fail(method: string, ...errors: string[]): void;
}

const channel = { id: 'C0123456789', name: 'on-call' };
const token = 'xoxb-the-token-of-the-bot';

/** Starts a local workspace for the tests of a file. */
export function useSlack(): () => Slack {
  const slack = { url: '', token, messages: [] as SlackMessage[], calls: [] as string[] };
  const failures = new Map<string, string[]>();
  const server = createServer((request, response) => void handle(request, response));
  async function handle(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const method = (request.url ?? '').replace('/api/', '');
    slack.calls.push(method);
    const failure = failures.get(method)?.shift();
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    const error = failure !== undefined && failure !== 'lost' ? failure : problemOf(request, method, body);
    const answer = error === undefined ? run(slack.messages, method, body) : { ok: false, error };
    if (failure === 'lost') request.socket.destroy();
    else response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(answer));
  }
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    slack.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return () => ({ ...slack, fail: (method, ...errors) => void failures.set(method, errors) });
}

function problemOf(request: IncomingMessage, method: string, body: Record<string, unknown>): string | undefined {
  if (request.method !== 'POST' || !String(request.headers['content-type']).startsWith('application/json'))
    return 'invalid_post_type';
  if (request.headers.authorization !== `Bearer ${token}`) return 'invalid_auth';
  if (typeof body['text'] !== 'string' || body['text'] === '') return 'no_text';
  // Only chat.postMessage accepts the name of a channel.
  const isKnown = body['channel'] === channel.id || (method === 'chat.postMessage' && body['channel'] === channel.name);
  return isKnown ? undefined : 'channel_not_found';
}

function run(messages: SlackMessage[], method: string, body: Record<string, unknown>): object {
  const [text, blocks] = [String(body['text']), JSON.stringify(body['blocks'])];
  const named = (ts: unknown) => messages.find((message) => message.ts === ts);
  if (method === 'chat.update') {
    const message = named(body['ts']);
    if (message === undefined) return { ok: false, error: 'message_not_found' };
    Object.assign(message, { text, blocks });
    return { ok: true, channel: channel.id, ts: message.ts, text };
  }
  if (method !== 'chat.postMessage') return { ok: false, error: 'unknown_method' };
  const threadTs = body['thread_ts'] as string | undefined;
  const ts = `1700000000.${String(messages.length + 1).padStart(6, '0')}`;
  messages.push({ channel: channel.id, ts, threadTs, text, blocks });
  return { ok: true, channel: channel.id, ts, message: { type: 'message', text, ts } };
}
