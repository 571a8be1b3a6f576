import { expect, it } from 'vitest';
import { DatabaseUnusable, SqliteError } from '../driver-errors.ts';
import { asDiskFault } from './disk-fault.ts';

const withCode = (code: string) => Object.assign(new Error('failed'), { code });
const ofNodeSqlite = (errcode: number) => Object.assign(new Error('failed'), { code: 'ERR_SQLITE_ERROR', errcode });

it.each([
  ['its disk is full', [withCode('ENOSPC'), withCode('EDQUOT'), new SqliteError('full', 13), ofNodeSqlite(13)]],
  ['it is read-only', [withCode('EROFS'), new SqliteError('readonly', 8), ofNodeSqlite(1544)]],
  ['this user has no right', [withCode('EACCES'), withCode('EPERM'), ofNodeSqlite(14)]],
  ['its disk reports an error', [withCode('EIO'), new SqliteError('ioerr', 778)]],
])('a data directory that cannot be written is named because %s', (words, errors) => {
  for (const error of [...errors, ...errors.map((cause) => new Error('the start failed', { cause }))]) {
    const plain = asDiskFault(error, '/data') as Error;
    expect(plain).toBeInstanceOf(DatabaseUnusable);
    expect(plain.message).toContain(`The data directory /data cannot be written: ${words}`);
    expect(plain.message).toMatch(/or set YARDARM_DATA_DIR to another directory\.$/);
  }
});

it('another error stays as it is', () => {
  for (const error of [new Error('a bug'), new SqliteError('syntax', 1), withCode('ECONNREFUSED'), 'text'])
    expect(asDiskFault(error, '/data')).toBe(error);
});
