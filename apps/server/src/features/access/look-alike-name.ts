import { Problem } from '../../kernel/errors.ts';
import type { Db } from '../../storage/tx.ts';

/** Scripts whose letters look alike: a name is written in one of them at most. */
const alikeScripts = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Coptic', /\p{Script=Coptic}/u],
] as const;

/** Characters that are not seen, or change how their neighbours are seen. */
const invisible = /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]|\p{Variation_Selector}|\u115f|\u1160|\u3164|\uffa0/u;

/** Letters, in lower case, and the Latin ones they look like (the usual ones of Unicode's confusables, UTS 39). */
const alike = new Map(
  [
    ['аạ', 'a'],
    ['ԁ', 'd'],
    ['еҽ', 'e'],
    ['ɡց', 'g'],
    ['һհ', 'h'],
    ['јյ', 'j'],
    ['κк', 'k'],
    // Case does not count, and so an i is an I, which is an l.
    ['1|iіɩιıӏǀ', 'l'],
    ['мм', 'm'],
    ['νѵ', 'v'],
    ['оοօσ0', 'o'],
    ['рρ', 'p'],
    ['ԛզ', 'q'],
    ['гր', 'r'],
    ['ѕ', 's'],
    ['тτ', 't'],
    ['υս', 'u'],
    ['ԝѡω', 'w'],
    ['хχ', 'x'],
    ['уγ', 'y'],
    ['вβ', 'b'],
    ['сϲ', 'c'],
    ['нη', 'n'],
    ['αɑ', 'a'],
    ['ε', 'e'],
  ].flatMap(([others = '', latin = '']) => [...others].map((other): [string, string] => [other, latin])),
);

/**
 * Rejects with 400 when a new user name could be mistaken for another: when it mixes scripts whose letters look alike, holds
 * characters that are not seen, or looks like the user name or e-mail address of another account. Case does not tell names
 * apart, nor do 1, i and l, or 0 and o. The other name is not told. `others` are names that
 * are about to be given.
 */
export async function requireDistinctName(db: Db, username: string, others: readonly string[] = []): Promise<void> {
  if (invisible.test(username)) throw refused(username, 'holds characters that are not seen');
  const scripts = alikeScripts.filter(([, letter]) => letter.test(username)).map(([name]) => name);
  if (scripts.length > 1) throw refused(username, `mixes ${scripts.join(' and ')} letters`);
  const skeleton = skeletonOf(username);
  const rows = await db.selectFrom('users').select(['username', 'email']).execute();
  const names = [...others, ...rows.flatMap(({ username: name, email }) => [name ?? [], email ?? []].flat())];
  const taken = names.some((other) => skeletonOf(other) === skeleton);
  if (taken) throw refused(username, 'looks like the name of another account');
}

/** The same for names that look the same. */
function skeletonOf(name: string): string {
  const lower = name.normalize('NFKC').toLowerCase();
  return [...lower].map((letter) => alike.get(letter) ?? letter).join('');
}

function refused(username: string, why: string): Problem {
  return new Problem(
    'BadDataError',
    `The user name ${username} ${why}. Choose a name that cannot be mistaken for another.`,
    {
      details: [{ message: why, path: 'username' }],
    },
  );
}
