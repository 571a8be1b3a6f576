import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { CommandError } from './command-error.ts';
import { connect } from './remote.ts';

it('a connection that ends within an answer is an error that names the server, so that tailing events goes on', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{', () => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = connect({ url }, { YARDARM_TOKEN: 'secret' }).call('GET /api/admin/segments');
  const error = await call.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CommandError);
  expect((error as Error).message).toContain(`${url}/api/admin/segments cannot be reached`);
});

it('a token with line breaks is refused without being shown', () => {
  const connecting = () => connect({}, { YARDARM_TOKEN: '*:*.hush\nof production' });
  expect(connecting).toThrow('What YARDARM_TOKEN holds is no token: a token has no spaces and no line breaks.');
});

it('each request names the program and its version', async () => {
  const agents: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    agents.push(request.headers['user-agent']);
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await connect({ url }, { YARDARM_TOKEN: 'secret' }).call('GET /api/admin/segments');
  expect(agents).toEqual([expect.stringMatching(/^yardarm\/\d+\.\d+\.\d+/)]);
});
