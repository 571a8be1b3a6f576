import { Problem } from '../../kernel/errors.ts';
import { newSecret } from '../../kernel/ids.ts';
import { isCommonPassword } from './common-passwords.ts';

const rules: readonly (readonly [broken: (password: string) => boolean, saying: string])[] = [
  [(password) => password.length < 10, 'The password must have at least 10 characters.'],
  [(password) => password.length > 128, 'The password must have at most 128 characters.'],
  [(password) => /(.)\1\1/su.test(password), 'The password must not have the same character three times in a row.'],
  [(password) => !/[a-z]/.test(password), 'The password must have a lower-case letter, a to z.'],
  [(password) => !/[A-Z]/.test(password), 'The password must have an upper-case letter, A to Z.'],
  [(password) => !/[0-9]/.test(password), 'The password must have a digit.'],
  [(password) => !/[^A-Za-z0-9]/.test(password), 'The password must have a character that is no letter and no digit.'],
  [
    (password) => password.length <= 128 && isCommonPassword(password),
    'The password is a common one, or a common word with digits and symbols. Choose another, such as three unrelated words.',
  ],
];

/** What a password lacks, a sentence for each rule it breaks; long ones are not excused (docs/spec#password-rules). */
export function passwordFaults(password: string): string[] {
  return rules.filter(([broken]) => broken(password)).map(([, saying]) => saying);
}

/** A 400 that tells every fault, unless there is none. */
export function requireGoodPassword(password: string): void {
  const faults = passwordFaults(password);
  if (faults.length === 0) return;
  throw new Problem('OwaspValidationError', faults.join(' '), {
    details: [{ message: faults.join(' '), path: 'password', validationErrors: faults }],
  });
}

/** A password that breaks no rule and nobody guesses: 24 characters, 144 random bits but for those that were thrown away. */
export function newPassword(): string {
  for (;;) {
    const password = newSecret('').slice(0, 24);
    if (passwordFaults(password).length === 0) return password;
  }
}
