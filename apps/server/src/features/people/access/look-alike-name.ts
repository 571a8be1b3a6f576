import { Problem } from '#kernel/errors.ts';
import type { Db } from '#storage/tx.ts';

/** Scripts with letters that look alike. A user name may use only one of these scripts. */
const alikeScripts = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Coptic', /\p{Script=Coptic}/u],
] as const;

/** Characters that are invisible, or change how the characters beside them are drawn. */
const invisible = /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]|\p{Variation_Selector}|\u115f|\u1160|\u3164|\uffa0/u;

/** Lower-case letters by the Latin letter they look like: the common confusables of Unicode (UTS 39). */
const alike = new Map(
  [
    ['аạ', 'a'],
    ['ԁ', 'd'],
    ['еҽ', 'e'],
    ['ɡց', 'g'],
    ['һհ', 'h'],
    ['јյ', 'j'],
    ['κк', 'k'],
    // Names are compared without case: an i counts as an I, and an I looks like an l.
    ['1|iіɩιıӏǀ', 'l'],
    ['м', 'm'],
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
    // NFKC turns the Greek ϲ into ς.
    ['сς', 'c'],
    ['нη', 'n'],
    ['αɑ', 'a'],
    ['ε', 'e'],
  ].flatMap(([letters = '', latin = '']) => [...letters].map((letter): [string, string] => [letter, latin])),
);

/**
 * Rejects with 400 when a new user name could be mistaken for another name: when it mixes scripts with letters that
 * look alike, contains invisible characters, or looks like the user name or e-mail address of another account. Upper
 * and lower case count as the same, and so do 1, i and l, and 0 and o. The error does not reveal the other name.
 * `further` are other names to compare with, such as names that the same import creates.
 */
export async function requireDistinctName(db: Db, username: string, further: readonly string[] = []): Promise<void> {
  if (invisible.test(username)) throw confusable(username, 'contains invisible characters');
  const scripts = alikeScripts.filter(([, letter]) => letter.test(username)).map(([name]) => name);
  if (scripts.length > 1) throw confusable(username, `mixes ${scripts.join(' and ')} letters`);
  const skeleton = skeletonOf(username);
  const rows = await db.selectFrom('users').select(['username', 'email']).execute();
  const names = [...further, ...rows.flatMap(({ username: name, email }) => [name ?? [], email ?? []].flat())];
  const taken = names.some((name) => skeletonOf(name) === skeleton);
  if (taken) throw confusable(username, 'looks like the name of another account');
}

/** Returns the name with confusable letters replaced. Names that look alike have the same skeleton (UTS 39). */
function skeletonOf(name: string): string {
  const lower = name.normalize('NFKC').toLowerCase();
  return [...lower].map((letter) => alike.get(letter) ?? letter).join('');
}

function confusable(username: string, why: string): Problem {
  return new Problem(
    'BadDataError',
    `The user name ${username} ${why}. Choose a name that cannot be mistaken for another.`,
    {
      details: [{ message: why, path: 'username' }],
    },
  );
}
