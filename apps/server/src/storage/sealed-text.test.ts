import { expect, it } from 'vitest';
import { backingOf, kyselyOver } from './kysely-connection.ts';
import { createSeal } from './seal.ts';
import { openedIn, sealedIn } from './sealed-text.ts';
import type { Db } from './tx.ts';

const databaseWith = (secret: string, previous?: string) =>
  kyselyOver('sqlite', createSeal(secret, previous), () => Promise.reject(new Error('runs no statement'))) as Db;

const [first, second] = ['the first password of all', 'the second password of all'];

it('a sealed text is read with the secret that sealed it, also when that is the previous one', () => {
  const sealed = sealedIn(databaseWith(first), 'a token');
  expect(sealed).not.toContain('a token');
  expect(openedIn(databaseWith(first), sealed, 'The key of x')).toBe('a token');
  expect(openedIn(databaseWith(second, first), sealed, 'The key of x')).toBe('a token');
});

it('a text that another secret sealed is a 503 that names it and says what to set', () => {
  const sealed = sealedIn(databaseWith(first), 'a token');
  const message =
    'The key of x cannot be read: it was encrypted with another UNLEASH_SECRET. Set UNLEASH_SECRET_PREVIOUS to that secret and restart.';
  expect(() => openedIn(databaseWith(second), sealed, 'The key of x')).toThrow(
    expect.objectContaining({ name: 'ServiceUnavailableError', message }),
  );
});

it('an object that is no database has no seal', () => {
  expect(() => backingOf({})).toThrow('this Kysely was not made by kyselyOver');
});

it('a text that was removed is absent, and not one that another secret sealed', () => {
  expect(openedIn(databaseWith(first), '', 'The key of x')).toBeUndefined();
});
