import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { RawConnection } from '#testing/raw-http.ts';
import { useServer } from '#testing/server.ts';
import { givenEndpoint, received, send, type TestEndpoint } from '#testing/signals.ts';

const directory = new URL('../../../../../../tests/payloads/', import.meta.url);
const bytesOf = (file: string) => readFileSync(new URL(file, directory));
const index = JSON.parse(bytesOf('INDEX.json').toString()) as { file: string; headers: Record<string, string> }[];
const documented = index.filter(({ file }) => file.endsWith('.json'));
const captured = readdirSync(directory).filter((file) => file.endsWith('.http'));

describe('payloads of real senders', () => {
  const server = useServer();
  let endpoint: TestEndpoint;
  beforeAll(async () => {
    endpoint = await givenEndpoint(server());
  });
  /** Returns the newest payload as text, cut out of the raw answer. */
  const newest = async () => {
    const { text } = await received(server(), endpoint, 1);
    return text.slice(text.indexOf('"payload":') + '"payload":'.length, -']}'.length - 1);
  };

  it('covers every file: each is sent by one of these tests', () => {
    const files = readdirSync(directory).filter((file) => !['INDEX.json', 'README.md'].includes(file));
    const bodies = captured.map((file) => file.replace('.http', '.body.json'));
    expect(files.sort()).toEqual([...index.map(({ file }) => file), ...captured, ...bodies].sort());
  });

  it.each(documented)('$file arrives and is stored as it was sent', async ({ file, headers }) => {
    const body = bytesOf(file);
    // Send a token of the endpoint in place of the vendor's Authorization header, and no headers with placeholders such
    // as `<id>`.
    const sent = Object.entries(headers).filter(([name, value]) => name !== 'Authorization' && !/[<>]/.test(value));
    const reply = await send(server(), endpoint, body, Object.fromEntries(sent));
    expect(reply.status).toBe(200);
    expect(reply.json.signals[0].payload).toEqual(JSON.parse(body.toString()));
    expect(await newest()).toBe(body.toString());
  });

  it('keeps the JSON text inside a notification of AWS SNS readable', async () => {
    const body = bytesOf('aws-sns-notification-cloudwatch.json');
    await send(server(), endpoint, body, { 'content-type': 'text/plain; charset=UTF-8' });
    expect(JSON.parse(JSON.parse(await newest()).Message)).toMatchObject({ AlarmName: 'checkout-5xx' });
  });

  it.each(captured)('stores %s as its program sent it, byte for byte', async (file) => {
    const [head = '', ...rest] = bytesOf(file).toString('latin1').split('\r\n\r\n');
    const ours = head
      .replace(/^POST \S+/, `POST /api/signal-endpoint/${endpoint.name}`)
      .replace(/^Host: .*$/m, `Host: ${new URL(server().url).host}`)
      .replace(/^Authorization: Bearer .*$/m, `Authorization: Bearer ${endpoint.token}`);
    const connection = await RawConnection.open(server().url);
    connection.write(Buffer.from([ours, ...rest].join('\r\n\r\n'), 'latin1'));
    const reply = await connection.reply();
    connection.end();
    expect(reply.status).toBe(200);
    const body = bytesOf(file.replace('.http', '.body.json')).toString().trimEnd();
    expect(reply.json.signals[0].payload).toEqual(JSON.parse(body));
    expect((await newest()).trimEnd()).toBe(body);
  });
});
