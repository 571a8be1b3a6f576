import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CommandError } from './command-error.ts';
import { exportEvents } from './event-commands.ts';

it('an export that cannot be recorded in the event log leaves no file', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'yardarm-export-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const call = async (key: string) => {
    if (key.startsWith('POST')) throw new CommandError('The server cannot be reached.');
    return { events: [{ id: 1 }], next: 1, hasMore: false };
  };
  const options = { after: '0', format: 'json', output: join(directory, 'events') };
  await expect(exportEvents({ url: '', call }, options)).rejects.toThrow('The server cannot be reached.');
  expect(await readdir(directory)).toEqual([]);
});

it('an export that fails after its first page leaves no file, which would look complete', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'yardarm-export-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  let calls = 0;
  const call = async () => {
    calls++;
    if (calls > 1) throw new CommandError('The server cannot be reached.');
    return { events: [{ id: 1 }], next: 1, hasMore: true };
  };
  const options = { after: '0', format: 'ndjson', output: join(directory, 'events') };
  await expect(exportEvents({ url: '', call }, options)).rejects.toThrow('The server cannot be reached.');
  expect(await readdir(directory)).toEqual([]);
});
