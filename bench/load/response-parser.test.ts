import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedAnswer } from './response-head.ts';
import { type Answer, ResponseParser } from './response-parser.ts';

/** Feeds an answer in the given fragments. Returns the parsed answer with its body as text. */
function parse(fragments: readonly Buffer[], method = 'GET'): { answer: Answer | undefined; body: string } {
  const parser = new ResponseParser();
  const pieces: Buffer[] = [];
  parser.onBody = (piece) => pieces.push(Buffer.from(piece));
  parser.begin(method);
  let answer: Answer | undefined;
  for (const fragment of fragments) answer = parser.feed(fragment) ?? answer;
  answer ??= parser.end();
  return { answer, body: Buffer.concat(pieces).toString() };
}

function bytewise(text: string): Buffer[] {
  return [...Buffer.from(text)].map((byte) => Buffer.of(byte));
}

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('response parser', () => {
  it.each<[string, string, string, Answer & { body: string }]>([
    [
      'a sized body',
      'GET',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
      { status: 200, bodyBytes: 5, keepAlive: true, body: 'hello' },
    ],
    [
      'a body in chunks with extensions and trailers',
      'GET',
      `${chunked}4;x=y\r\nWiki\r\nA\r\npedia in\r\n\r\n0\r\nTrailer: yes\r\n\r\n`,
      { status: 200, bodyBytes: 14, keepAlive: true, body: 'Wikipedia in\r\n' },
    ],
    [
      'a body until the end of the connection',
      'GET',
      'HTTP/1.1 200 OK\r\n\r\nall of it',
      { status: 200, bodyBytes: 9, keepAlive: false, body: 'all of it' },
    ],
    [
      'a 304 that tells the length of what it leaves out',
      'GET',
      'HTTP/1.1 304 Not Modified\r\nContent-Length: 1260000\r\nETag: "a"\r\n\r\n',
      { status: 304, bodyBytes: 0, keepAlive: true, body: '' },
    ],
    ['a 204', 'GET', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, bodyBytes: 0, keepAlive: true, body: '' }],
    [
      'an answer to HEAD',
      'HEAD',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n',
      { status: 200, bodyBytes: 0, keepAlive: true, body: '' },
    ],
    [
      'an interim answer before the real one',
      'GET',
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 202 Accepted\r\ncontent-length:0\r\n\r\n',
      { status: 202, bodyBytes: 0, keepAlive: true, body: '' },
    ],
    [
      'a server that will close',
      'GET',
      'HTTP/1.1 503 Service Unavailable\r\nConnection: Close\r\nContent-Length: 2\r\n\r\nno',
      { status: 503, bodyBytes: 2, keepAlive: false, body: 'no' },
    ],
    [
      'HTTP/1.0, which closes unless it says otherwise',
      'GET',
      'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok',
      { status: 200, bodyBytes: 2, keepAlive: false, body: 'ok' },
    ],
  ])('reads %s, whole and byte by byte', (_what, method, text, { body, ...answer }) => {
    expect(parse([Buffer.from(text)], method)).toEqual({ answer, body });
    expect(parse(bytewise(text), method)).toEqual({ answer, body });
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['a status that is none', 'HTTP/1.1 999 Odd\r\n\r\n'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['bytes after the body', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab'],
    ['a chunk size that is none', `${chunked}xyz\r\n`],
    ['a chunk longer than its size', `${chunked}1\r\nab\r\n`],
    ['a chunk line without carriage return', `${chunked}1\na`],
    ['an endless head', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}`],
    ['an endless chunk line', `${chunked}1;${'x'.repeat(9000)}`],
  ])('refuses %s', (_what, text) => {
    expect(() => parse([Buffer.from(text)])).toThrow(MalformedAnswer);
  });

  it('refuses bytes that come without a request', () => {
    expect(() => new ResponseParser().feed(Buffer.from('HTTP/1.1 408 Request Timeout\r\n\r\n'))).toThrow(
      MalformedAnswer,
    );
  });

  it.each(['', 'HTTP/1.1 2', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell', `${chunked}5\r\nhello\r\n`])(
    'gives no answer for one cut short: %j',
    (text) => {
      expect(parse([Buffer.from(text)]).answer).toBeUndefined();
    },
  );

  it('gives back any body, however it is chunked and however the bytes are fragmented', () => {
    const chunks = fc.array(fc.string({ minLength: 1, maxLength: 200, unit: 'binary' }), { maxLength: 8 });
    const cuts = fc.array(fc.nat(3000), { maxLength: 40 });
    fc.assert(
      fc.property(chunks, fc.boolean(), cuts, (parts, sized, positions) => {
        const body = parts.join('');
        const length = Buffer.byteLength(body);
        const wire = sized
          ? `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${body}`
          : `${chunked}${parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;
        const bytes = Buffer.from(wire);
        const edges = [0, ...positions.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length];
        const fragments = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
        expect(parse(fragments)).toEqual({ answer: { status: 200, bodyBytes: length, keepAlive: true }, body });
      }),
    );
  });
});
