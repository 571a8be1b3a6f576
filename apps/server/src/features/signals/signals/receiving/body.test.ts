import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenEndpoint, received, send, type TestEndpoint } from '#testing/signals.ts';

const formBody = readFileSync(
  new URL('../../../../../../../tests/payloads/datadog-webhook-form.txt', import.meta.url),
  'utf8',
);

describe('the body of a signal', () => {
  const server = useServer();
  let endpoint: TestEndpoint;
  beforeAll(async () => {
    endpoint = await givenEndpoint(server());
  });
  const post = (raw?: string | Uint8Array, headers?: Record<string, string>) => send(server(), endpoint, raw, headers);
  const stored = async () => (await received(server(), endpoint, 1000)).json.signalEndpointSignals;
  /** Expects an error with an explanation, and that nothing is stored. */
  const refused = async (status: number, raw: string | Uint8Array, headers?: Record<string, string>) => {
    const before = (await stored()).length;
    const reply = await post(raw, headers);
    expect(reply.status).toBe(status);
    expectProblem(reply);
    expect(await stored()).toHaveLength(before);
    return reply.json;
  };

  describe('the body is optional', () => {
    it.each([
      ['no body and no content type', undefined, {}],
      ['no body but a content type', undefined, { 'content-type': 'application/json' }],
      ['no body but an unsupported content type', undefined, { 'content-type': 'image/png' }],
      ['an empty body', '', { 'content-type': 'application/json' }],
      ['a body of white space', ' \r\n\t', { 'content-type': 'application/json' }],
    ])('%s is stored as {}', async (_name, raw, headers) => {
      const reply = await post(raw, headers as Record<string, string>);
      expect(reply.status).toBe(200);
      expect(reply.json.signals[0].payload).toEqual({});
      expect((await stored())[0].payload).toEqual({});
    });
  });

  describe('a body is JSON', () => {
    it.each([
      '{}',
      '[]',
      '"text"',
      '0',
      '-1.5e3',
      'true',
      'false',
      'null',
      '[1,"a",null]',
      '{"type":"alert","data":{"n":1}}',
    ])('accepts any JSON value: %s', async (raw) => {
      const reply = await post(raw);
      expect(reply.status).toBe(200);
      expect(reply.json.signals[0].payload).toEqual(JSON.parse(raw));
      expect((await stored())[0].payload).toEqual(JSON.parse(raw));
    });

    it.each([
      '{',
      '{"a":}',
      "{'a':1}",
      '{"a":1}}',
      'undefined',
      'NaN',
      '01',
      '"\n"',
      '\u0000',
      '"\\x"',
      '{"a":1,}',
      '// {}',
      'a=b',
    ])('refuses invalid JSON: %j', async (raw) => {
      expect(await refused(400, raw)).toMatchObject({ name: 'BadDataError' });
    });

    it.each([
      ['a lone continuation byte', [0x22, 0x80, 0x22]],
      ['a sequence that is cut off', [0x22, 0xe2, 0x82, 0x22]],
      ['an overlong encoding', [0x22, 0xc0, 0xaf, 0x22]],
      ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
      ['beyond Unicode', [0x22, 0xf5, 0x80, 0x80, 0x80, 0x22]],
      ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ])('refuses invalid UTF-8: %s', async (_name, bytes) => {
      expect(await refused(400, Uint8Array.from(bytes))).toMatchObject({ name: 'BadDataError' });
    });

    it.each([
      ['arrays', '[', ']'],
      ['objects', '{"a":', '}'],
    ])('accepts 64 levels of %s and refuses 65', async (_name, open, close) => {
      const nested = (levels: number) => `${open.repeat(levels - 1)}${open[0]}${close[0]}${close.repeat(levels - 1)}`;
      expect((await post(nested(64))).status).toBe(200);
      expect(await refused(400, nested(65))).toMatchObject({ name: 'BadDataError' });
      expect(await refused(400, nested(15_000))).toMatchObject({ name: 'BadDataError' });
    });

    it('does not count brackets inside strings as levels', async () => {
      expect((await post(JSON.stringify({ text: '[{"\\'.repeat(500) }))).status).toBe(200);
      expect((await post(JSON.stringify(Array.from({ length: 200 }, () => [[]])))).status).toBe(200);
    });
  });

  describe('the content type', () => {
    it.each([
      'application/json',
      'APPLICATION/JSON',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'application/cloudevents+json',
      'application/problem+json; charset=utf-8',
      'text/plain',
      'text/plain; charset=UTF-8',
    ])('may be %s', async (type) => {
      expect((await post('{"a":1}', { 'content-type': type })).status).toBe(200);
    });

    it.each([
      'application/xml',
      'text/html',
      'multipart/form-data; boundary=x',
      'application/octet-stream',
      '+json',
      'json',
      'text/json',
      'application/jsonp',
      'text/plain+json',
      'application/json+xml',
      '',
      ';',
      'application/json/x',
    ])('may not be %j', async (type) => {
      expect(await refused(415, '{"a":1}', { 'content-type': type })).toMatchObject({ name: 'ContentTypeError' });
    });

    it('may not be missing with a body, where the sender is not known to leave it out', async () => {
      expect(await refused(415, Buffer.from('{"a":1}'), {})).toMatchObject({ name: 'ContentTypeError' });
    });

    it('may not be that of a form, which Datadog webhooks send when configured so', async () => {
      const type = 'application/x-www-form-urlencoded';
      expect(await refused(415, formBody, { 'content-type': type })).toMatchObject({ name: 'ContentTypeError' });
    });

    it.each(['deflate', 'br', 'x-gzip', 'identity, gzip', 'gzip, gzip'])(
      'refuses compressed bodies: %s',
      async (encoding) => {
        const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
        expect(await refused(415, gzipSync('{"a":1}'), headers)).toMatchObject({ name: 'ContentTypeError' });
      },
    );

    it.each(['gzip', 'GZIP'])('inflates a body that was compressed with %s, as forwarders do', async (encoding) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      const body = JSON.stringify({ text: 'a'.repeat(10_000) });
      const reply = await post(gzipSync(body), headers);
      expect(reply.json.signals[0].payload).toEqual(JSON.parse(body));
      expect((await stored())[0].payload).toEqual(JSON.parse(body));
    });

    it('inflates a body up to the size of an uncompressed one, and refuses a larger one', async () => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const sized = (bytes: number) => gzipSync(JSON.stringify('a'.repeat(bytes - 2)));
      expect((await post(sized(102_400), headers)).status).toBe(200);
      const parts = Buffer.concat([sized(102_400), sized(3)]);
      for (const body of [sized(102_401), sized(50_000_000), parts])
        expect(await refused(413, body, headers)).toMatchObject({ name: 'ContentTooLarge' });
    });

    it.each([
      ['is not gzip', Buffer.from('{"a":1}')],
      ['is cut off', gzipSync('{"a":1}').subarray(0, -4)],
      ['is not JSON when it is inflated', gzipSync('{"a"')],
    ])('refuses a body with Content-Encoding: gzip that %s', async (_name, body) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      expect(await refused(400, body, headers)).toMatchObject({ name: 'BadDataError' });
    });

    it('accepts Content-Encoding: identity', async () => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'identity' };
      expect((await post('{"a":1}', headers)).status).toBe(200);
    });
  });
});
