import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { newPassword, passwordFaults } from './password-rules.ts';

describe('a password hash', () => {
  it('is an Argon2id PHC string with the parameters that OWASP recommends and a random salt', async () => {
    const [first, second] = [await hashPassword('the same'), await hashPassword('the same')];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(first).not.toBe(second);
  });

  it('matches its password and no other', async () => {
    const hash = await hashPassword('Pässword 💚');
    expect(await verifyPassword('Pässword 💚', hash)).toBe(true);
    expect(await verifyPassword('Password 💚', hash)).toBe(false);
    expect(await verifyPassword('', hash)).toBe(false);
  });

  it('matches composed and decomposed letters alike', async () => {
    expect(await verifyPassword('Pa\u0308ssword', await hashPassword('P\u00e4ssword'))).toBe(true);
  });

  it('with other parameters, made by another program, is verified', async () => {
    // Made by libargon2, the reference implementation.
    const hash = '$argon2id$v=19$m=8192,t=3,p=2$c29tZXNhbHRzb21lc2FsdA$PfIudKQwnJUkG9c8u/7xnMUkcP3PDl0Q';
    expect(await verifyPassword('Pässword 💚', hash)).toBe(true);
    expect(await verifyPassword('another', hash)).toBe(false);
  });
});

describe('the password rules', () => {
  it.each([
    ['Short-Pw1', 'at least 10'],
    [`Aa1-${'xy'.repeat(63)}`, 'at most 128'],
    ['Passsword-1', 'three times in a row'],
    ['BROWN-TABLE-42', 'lower-case'],
    ['brown-table-42', 'upper-case'],
    ['Password-no', 'digit'],
    ['Password42no', 'a symbol'],
  ])('find fault with %s: %s', (password, fault) => {
    expect(passwordFaults(password)).toEqual([expect.stringContaining(fault)]);
  });

  it.each([
    'Password123!',
    'P@ssw0rd2024',
    '!!Pa$$w0rd1!',
    'Pass-Word-99',
    'Welcome@2026',
    'We1come2026!',
    'Adm1nistrat0r!',
    '$Unshine2026',
    'Qwertyuiop-1',
    '1Qaz2wsx3edc!',
    'Zaq12wsx!2026',
    'DragonDragon-7',
    'Yardarm#2026',
  ])('find fault with %s, which is common', (password) => {
    expect(passwordFaults(password)).toEqual([expect.stringContaining('common')]);
  });

  it.each(['Ten-Monkeys-7', 'Dragonfly&Kite9', 'Welcome-Plum-Tram3', 'x7Password-Qk!'])(
    'find no fault with %s, of which a common word is only a part',
    (password) => expect(passwordFaults(password)).toEqual([]),
  );

  it('accept the shortest and the longest allowed length', () => {
    expect(passwordFaults('Passw-42no')).toEqual([]);
    expect(passwordFaults(`Aa1-${'xy'.repeat(62)}`)).toEqual([]);
  });

  it('hold for long passphrases, too', () => {
    expect(passwordFaults('correct horse battery staple')).not.toEqual([]);
  });

  it('hold for every generated password', () => {
    const passwords = Array.from({ length: 50 }, newPassword);
    expect(passwords.flatMap(passwordFaults)).toEqual([]);
    expect(new Set(passwords).size).toBe(50);
  });
});
