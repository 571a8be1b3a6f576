import { describe, expect, it } from 'vitest';
import { prepareRequest, type RequestTemplate } from './request.ts';

const origin = new URL('http://127.0.0.1:4242');

function sent(template: RequestTemplate, n = 0, connection = 0): string {
  return prepareRequest(template, origin, 'run').bytes(n, connection).toString();
}

describe('request template', () => {
  it('becomes a request with host, headers and the length of its body in bytes', () => {
    const headers = { Authorization: 'Bearer t', 'Content-Type': 'application/json' };
    expect(sent({ method: 'POST', path: '/a?b=c', headers, body: '"é"' })).toBe(
      'POST /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:4242\r\nAuthorization: Bearer t\r\nContent-Type: application/json\r\n' +
        'Content-Length: 4\r\n\r\n"é"',
    );
  });

  it('has neither length nor body without a body', () => {
    expect(sent({ method: 'GET', path: '/' })).toBe('GET / HTTP/1.1\r\nHost: 127.0.0.1:4242\r\n\r\n');
  });

  it('fills in id, number and connection wherever they stand, and counts the length after that', () => {
    const template = {
      method: 'POST',
      path: '/flags/{{connection}}/{{n}}',
      headers: { 'Idempotency-Key': '{{id}}' },
      body: '{"id":"{{id}}","again":"{{id}}"}',
    };
    expect(sent(template, 12, 3)).toBe(
      'POST /flags/3/12 HTTP/1.1\r\nHost: 127.0.0.1:4242\r\nIdempotency-Key: run-12\r\n' +
        'Content-Length: 32\r\n\r\n{"id":"run-12","again":"run-12"}',
    );
  });

  it('makes ids that are unique over runs', () => {
    const template = { method: 'GET', path: '/{{id}}' };
    const [first, second] = [prepareRequest(template, origin), prepareRequest(template, origin)];
    expect(first.bytes(0, 0)).not.toBe(second.bytes(0, 0));
  });

  it.each<[string, RequestTemplate]>([
    ['a method with a line break', { method: 'GET\r\n', path: '/' }],
    ['a path with a space', { method: 'GET', path: '/a b' }],
    ['a whole address as path', { method: 'GET', path: 'http://elsewhere/' }],
    ['a header name with a colon', { method: 'GET', path: '/', headers: { 'A:': 'b' } }],
    ['a header value with a line break', { method: 'GET', path: '/', headers: { A: 'b\r\nC: d' } }],
    ['a length of its own', { method: 'GET', path: '/', headers: { 'content-length': '1' } }],
  ])('refuses %s', (_what, template) => {
    expect(() => prepareRequest(template, origin)).toThrow(TypeError);
  });
});
