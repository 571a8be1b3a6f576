// Lower-case words and keyboard patterns with digits. NOTICE names the source of the list.
import lines from './common-passwords.json' with { type: 'json' };

/** The common passwords; each line has several, separated by spaces. */
const listed = lines.flatMap((line) => line.split(' '));
/** Further words that people are likely to choose for this service. */
const serviceWords = 'administrator default feature featureflag featureflags flags login root toggle unleash yardarm';
const common = new Set([...listed, ...serviceWords.split(' ')]);

/** The letters that digits and symbols replace in "leet" spelling, such as 3 for e. */
const letters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '!': 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
  '8': 'b',
};
/** The letters with the other meaning of 1 and !, which can replace an i or an l. */
const otherLetters = { ...letters, '1': 'l', '!': 'l' };

/**
 * Returns whether a password is a common word, or a repeated one, after removing case and the digits and symbols
 * around, between or in place of its letters. People often satisfy password rules that way, and attackers try those
 * first.
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.normalize('NFKC').toLowerCase();
  return wordsIn(lower).some((word) => common.has(word.replace(/^(.+?)\1+$/s, '$1')));
}

function wordsIn(lower: string): string[] {
  const pattern = lower.replace(/[^a-z0-9]/g, '');
  // A symbol at the start may replace a letter, as in $ecret; a digit at the end is usually just appended.
  const ended = lower.replace(/[^a-z]+$/, '');
  const bare = ended.replace(/^[^a-z]+/, '');
  const spelled = [ended, bare].flatMap((text) => [spell(text, letters), spell(text, otherLetters)]);
  return [pattern, pattern.replace(/\d+$/, ''), ...spelled];
}

function spell(text: string, by: Readonly<Record<string, string>>): string {
  return [...text].map((character) => by[character] ?? character.replace(/[^a-z]/, '')).join('');
}
