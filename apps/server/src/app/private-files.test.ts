import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load.ts';
import { startServer } from '#testing/server.ts';
import { backUpTo } from './backup.ts';

let parent: string;
const umask = process.umask();

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'yardarm-private-'));
});
afterEach(() => {
  process.umask(umask);
  rmSync(parent, { recursive: true, force: true });
});

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

/** Returns the modes of a directory and of all files in it. */
function modesIn(directory: string): Record<string, string> {
  return Object.fromEntries([['.', modeOf(directory)], ...readdirSync(directory).map(nameAndMode)]);
  function nameAndMode(name: string) {
    return [name, modeOf(join(directory, name))];
  }
}

const ownersAlone = {
  '.': '700',
  'yardarm.db': '600',
  'yardarm.db-shm': '600',
  'yardarm.db-wal': '600',
  'yardarm.holder': '600',
  'yardarm.lock': '600',
};

async function modesWhileServing(dataDir: string): Promise<Record<string, string>> {
  const storage = {
    engine: 'sqlite',
    settings: { dataDir, databaseUrl: undefined },
    remove: async () => undefined,
  } as const;
  const server = await startServer(storage);
  const modes = modesIn(dataDir);
  await server.stop();
  return modes;
}

describe('the data directory and its files', () => {
  it.each([0o000, 0o022, 0o777])('are open to their owner alone under a umask of %o', async (mask) => {
    process.umask(mask);
    expect(await modesWhileServing(join(parent, 'data'))).toMatchObject(ownersAlone);
  });

  it('that were open to others before are closed by a start', async () => {
    process.umask(0);
    const dataDir = join(parent, 'data');
    mkdirSync(dataDir, { mode: 0o755 });
    for (const name of ['yardarm.db', 'yardarm.lock']) writeFileSync(join(dataDir, name), '', { mode: 0o644 });
    chmodSync(dataDir, 0o755);
    expect(await modesWhileServing(dataDir)).toMatchObject(ownersAlone);
  });

  it.each([0o000, 0o777])('are backed up to a file that only its owner reads under a umask of %o', async (mask) => {
    const dataDir = join(parent, 'data');
    await modesWhileServing(dataDir);
    process.umask(mask);
    const file = join(parent, 'monday.backup');
    await backUpTo({ ...loadConfig({}), dataDir, databaseUrl: undefined }, file, (error) => {
      throw error;
    });
    expect(modeOf(file)).toBe('600');
    expect(modesIn(dataDir)).toMatchObject({ '.': '700', 'yardarm.db': '600' });
  });
});
