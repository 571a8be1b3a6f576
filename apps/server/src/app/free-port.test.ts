import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { environmentOf, runProgram, usePrograms } from '#testing/program.ts';
import { createStorage, type TestStorage } from '#testing/server.ts';

const programs = usePrograms();
let storage: TestStorage;
beforeEach(async () => {
  storage = await createStorage();
});
afterEach(() => storage.remove());

/** Starts the program, which must end by itself, and returns its output. */
function failedStart(variables: Record<string, string>) {
  return runProgram(['start'], { ...environmentOf(storage), HTTP_HOST: '127.0.0.1', ...variables });
}

it('a first start on a used port says so in one line, and shows no password that would be lost', async () => {
  const other = createServer();
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const next = port === 65_535 ? port - 1 : port + 1;
  const refused = await failedStart({ PORT: String(port) });
  other.close();
  expect(refused).toEqual({
    code: 1,
    stdout: '',
    stderr: `Port ${port} is in use by another program. Stop that program, or choose another port, such as PORT=${next} npm start\n`,
  });
  const first = await programs.start(storage);
  expect(first.text).toMatch(/^ +password +\S/m);
  await programs.stop(first);
});

it('a start at an address that the machine does not have says so in one line', async () => {
  const { stderr } = await failedStart({ HTTP_HOST: '192.0.2.1', PORT: '4242' });
  expect(stderr).toBe('This machine has no address 192.0.2.1. Set HTTP_HOST to one that it has.\n');
});
