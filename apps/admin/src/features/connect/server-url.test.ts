import { expect, it } from 'vitest';
import { serverUrl } from './server-url.ts';

it.each([
  ['https://flags.example.com/a', 'https://inside:4242/a/', 'https://flags.example.com/a'],
  ['http://0.0.0.0:4242', 'https://flags.example.com/a/', 'https://flags.example.com/a'],
  ['http://localhost:4242', 'http://127.0.0.1:4242/', 'http://127.0.0.1:4242'],
  ['http://[::]:4242', 'http://10.0.0.3:4242/', 'http://10.0.0.3:4242'],
])('the address of %s seen at %s is %s', (publicUrl, browserUrl, expected) => {
  expect(serverUrl(publicUrl, browserUrl)).toBe(expected);
});
