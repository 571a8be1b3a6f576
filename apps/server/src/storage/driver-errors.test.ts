import { describe, expect, it } from 'vitest';
import { noteChange, rememberChanges } from '#kernel/begun-changes.ts';
import { Problem } from '#kernel/errors.ts';
import { SqliteError, translateDriverError } from './driver-errors.ts';

/** Returns an error like those of the PostgreSQL driver. */
const postgres = (code: string, severity = 'ERROR') => Object.assign(new Error('from the server'), { code, severity });
const socket = (code: string) => Object.assign(new Error(code), { code });
const sqlite = (code: number) => new SqliteError('from SQLite', code);

const unchanged: readonly (readonly [what: string, error: unknown])[] = [
  ['a lock that SQLite waited for', sqlite(5)],
  ['a table that is locked in SQLite', sqlite(262)],
  ['a full disk under SQLite', sqlite(13)],
  ['a SQLite file that may not be written', sqlite(8)],
  ['a full disk under PostgreSQL', postgres('53100')],
  ['too many connections', postgres('53300', 'FATAL')],
  ['a lock that PostgreSQL waited for', postgres('55P03')],
  ['a deadlock', postgres('40P01')],
  ['a statement that took too long', postgres('57014')],
  ['a server that starts up', postgres('57P03', 'FATAL')],
  ['a standby', postgres('25006')],
  ['no server at the address', socket('ECONNREFUSED')],
  ['no such host', socket('ENOTFOUND')],
  ['no connection in time', new Error('timeout exceeded when trying to connect')],
];

const unknown: readonly (readonly [what: string, error: unknown])[] = [
  ['a failed write or fsync under SQLite', sqlite(1034)],
  ['the end of the database thread', new Error('the database thread has ended')],
  ['a server that is shut down', postgres('57P01', 'FATAL')],
  ['a server that has crashed', postgres('57P02', 'FATAL')],
  ['a failed fsync under PostgreSQL', postgres('58030', 'PANIC')],
  ['a connection failure', postgres('08006')],
  ['a connection that was reset', socket('ECONNRESET')],
  ['a connection that was given up', socket('ECONNABORTED')],
  ['a host that is gone', socket('EHOSTUNREACH')],
  ['a network that is gone', socket('ENETUNREACH')],
  ['a connection that ended', new Error('Connection terminated unexpectedly')],
  ['a connection that has failed before', new Error('Client has encountered a connection error and is not queryable')],
  ['no answer in time', new Error('Query read timeout')],
];

const bugs: readonly (readonly [what: string, error: unknown])[] = [
  ['a unique constraint of SQLite', sqlite(2067)],
  ['a damaged SQLite file', sqlite(11)],
  ['a mistake in SQL', sqlite(1)],
  ['a unique constraint of PostgreSQL', postgres('23505')],
  ['a syntax error', postgres('42601')],
  ['any other error', new TypeError('x is not a function')],
  ['something that is no error', 'text'],
];

describe('a failure of the database', () => {
  it.each(unchanged)('%s: 503, and nothing was changed', (_what, error) => {
    const problem = translateDriverError(error, 'writing') as Problem;
    expect(problem).toMatchObject({ name: 'ServiceUnavailableError', status: 503, headers: { 'retry-after': '1' } });
    expect(problem.message).toMatch(/Nothing was changed/);
    expect(problem.cause).toBe(error);
  });

  it.each(unknown)('%s: 503, and the outcome of the change is unknown', (_what, error) => {
    const problem = translateDriverError(error, 'writing') as Problem;
    expect(problem).toMatchObject({ name: 'ServiceUnavailableError', status: 503, headers: { 'retry-after': '1' } });
    expect(problem.message).not.toMatch(/Nothing was changed/);
    expect(problem.message).toMatch(/may or may not have been made/);
  });

  it.each([...unchanged, ...unknown])(
    '%s, while reading: 503, and a change may have been made only in a request that has begun one',
    (_what, error) => {
      const problem = translateDriverError(error, 'reading') as Problem;
      expect(problem).toMatchObject({ name: 'ServiceUnavailableError', status: 503, headers: { 'retry-after': '1' } });
      expect(problem.message).not.toMatch(/Nothing was changed|may or may not/);
      const inRequest = rememberChanges(() => {
        const before = translateDriverError(error, 'reading') as Problem;
        noteChange();
        return [before, translateDriverError(error, 'reading') as Problem].map(({ message }) => message);
      });
      expect(inRequest).toEqual([problem.message, expect.stringMatching(/may or may not have been made/)]);
    },
  );

  it.each(bugs)('%s: is not translated', (_what, error) => {
    expect(translateDriverError(error, 'writing')).toBe(error);
  });

  it('that was translated already is not translated again', () => {
    const problem = new Problem('ServiceUnavailableError', 'away');
    expect(translateDriverError(problem, 'writing')).toBe(problem);
  });

  it('never shows the message of the driver', () => {
    const error = Object.assign(new Error('password "secret" for host db-1'), { code: '08006' });
    expect((translateDriverError(error, 'writing') as Problem).message).not.toMatch(/secret|db-1/);
  });
});
