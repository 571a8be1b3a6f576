import { Problem } from '#kernel/errors.ts';
import { newSecret } from '#kernel/ids.ts';
import { isCommonPassword } from './common-passwords.ts';

const rules: readonly (readonly [isBroken: (password: string) => boolean, message: string])[] = [
  [(password) => password.length < 10, 'The password must have at least 10 characters.'],
  [(password) => password.length > 128, 'The password must have at most 128 characters.'],
  [(password) => /(.)\1\1/su.test(password), 'The password must not have the same character three times in a row.'],
  [(password) => !/[a-z]/.test(password), 'The password must have a lower-case letter, a to z.'],
  [(password) => !/[A-Z]/.test(password), 'The password must have an upper-case letter, A to Z.'],
  [(password) => !/[0-9]/.test(password), 'The password must have a digit.'],
  [
    (password) => !/[^A-Za-z0-9]/.test(password),
    'The password must have a symbol: a character other than a letter (A to Z) or a digit.',
  ],
  [
    (password) => password.length <= 128 && isCommonPassword(password),
    'The password is common, or a common word with digits and symbols. Choose another, such as three unrelated words.',
  ],
];

/**
 * Returns a sentence for each rule that a password breaks. The rules hold for long passphrases, too
 * (docs/spec#password-rules).
 */
export function passwordFaults(password: string): string[] {
  return rules.filter(([isBroken]) => isBroken(password)).map(([, message]) => message);
}

/** Throws a 400 when a password breaks a rule; the error lists every broken rule. */
export function requireGoodPassword(password: string): void {
  const faults = passwordFaults(password);
  if (faults.length === 0) return;
  throw new Problem('OwaspValidationError', faults.join(' '), {
    details: [{ message: faults.join(' '), path: 'password', validationErrors: faults }],
  });
}

/**
 * Generates a password that follows the rules: 24 characters from 144 random bits. Candidates that break a rule are
 * dropped.
 */
export function newPassword(): string {
  for (;;) {
    const password = newSecret('').slice(0, 24);
    if (passwordFaults(password).length === 0) return password;
  }
}
