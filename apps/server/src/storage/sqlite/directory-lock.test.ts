import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DirectoryInUse, lockDirectory } from './directory-lock.ts';

describe('the lock of a data directory', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'lock-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('refuses a second holder and names the first, until it is released', () => {
    const lock = lockDirectory(directory, 'process 1');
    expect(() => lockDirectory(directory, 'process 2')).toThrow(DirectoryInUse);
    expect(() => lockDirectory(directory, 'process 2')).toThrow('in use by process 1.');
    expect(readFileSync(join(directory, 'yardarm.holder'), 'utf8')).toBe('process 1');
    lock.release();
    lockDirectory(directory, 'process 2').release();
  });

  it('is not taken for held because a killed process has left its name', () => {
    writeFileSync(join(directory, 'yardarm.holder'), 'a process that was killed');
    lockDirectory(directory, 'process 2').release();
  });

  it('refuses a second holder even when the name of the first is not known', () => {
    const lock = lockDirectory(directory, 'process 1');
    rmSync(join(directory, 'yardarm.holder'));
    expect(() => lockDirectory(directory, 'process 2')).toThrow('in use by another process.');
    lock.release();
  });

  it('does not call a directory in use that cannot be used at all', () => {
    writeFileSync(
      join(directory, 'yardarm.lock'),
      'this is no database, and long enough for one to see that it is none',
    );
    chmodSync(join(directory, 'yardarm.lock'), 0o600);
    expect(() => lockDirectory(directory, 'process 1')).toThrow('not a database');
    expect(() => lockDirectory(directory, 'process 1')).not.toThrow(DirectoryInUse);
  });
});
