import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrations as knownMigrations } from '../migrations/migrations.ts';
import { openBackup, restore } from './restore-backup.ts';
import { inPages } from './snapshot.ts';

describe('pages of a backup', () => {
  it('are inserted by a restore after about a megabyte of text', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'yardarm-restore-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const migrations = Object.keys(knownMigrations);
    const lines = [
      { format: 'yardarm-backup', version: 1, at: new Date(0).toISOString(), migrations },
      { table: 'signals', columns: ['payload'] },
      ...Array.from({ length: 5 }, () => ['x'.repeat(600_000)]),
      ...Array.from({ length: 600 }, () => ['x']),
      { rows: 605 },
    ];
    await writeFile(join(directory, 'file'), gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    const inserted: number[] = [];
    const database = {
      migrations: async () => migrations,
      columns: async () => ['payload'],
      isEmpty: async () => true,
      clear: async () => undefined,
      continueAfter: async () => undefined,
      insert: async (_table: string, _columns: unknown, { length }: readonly unknown[]) => void inserted.push(length),
      commit: async () => undefined,
      abandon: async () => undefined,
    };
    expect(await restore(database, await openBackup(join(directory, 'file')))).toBe(605);
    expect(inserted).toEqual([2, 2, 500, 101]);
  });

  it('end after about a megabyte of text, so that a page fits into memory', () => {
    const row = (characters: number) => [1, 'x'.repeat(characters), null];
    const sizes = (rows: ReturnType<typeof row>[]) => [...inPages(rows)].map((page) => page.length);
    expect(sizes([])).toEqual([]);
    expect(sizes([row(1), row(1)])).toEqual([2]);
    expect(sizes(Array.from({ length: 5 }, () => row(600_000)))).toEqual([2, 2, 1]);
    expect(sizes(Array.from({ length: 10_600 }, () => row(0)))).toEqual([10_486, 114]);
  });
});
