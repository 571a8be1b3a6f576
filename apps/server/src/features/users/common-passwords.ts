import { readFileSync } from 'node:fs';

/** Lower-case words, and keyboard patterns with digits in them: see NOTICE for where the list is from. */
const listed = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8').split(/\s+/);
/** What people choose here besides. */
const ofThisService = 'administrator default feature featureflag featureflags flags login root toggle unleash yardarm';
const common = new Set([...listed, ...ofThisService.split(' ')].filter((word) => word !== ''));

/** The letters that digits and symbols stand for in words. */
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
/** Of the digits that stand for two letters, the other one. */
const otherLetters = { ...letters, '1': 'l', '!': 'l' };

/**
 * Whether a password is a common word, or one repeated, whatever digits and symbols are around it, between its letters or in
 * place of them, and whatever its case: that is how people keep the rules of passwords, and what is tried first.
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.normalize('NFKC').toLowerCase();
  return wordsIn(lower).some((word) => common.has(word.replace(/^(.+?)\1+$/s, '$1')));
}

function wordsIn(lower: string): string[] {
  const pattern = lower.replace(/[^a-z0-9]/g, '');
  // A symbol in front may be a letter, as in $ecret; a digit at the end is far more often just added.
  const ended = lower.replace(/[^a-z]+$/, '');
  const bare = ended.replace(/^[^a-z]+/, '');
  const spelled = [ended, bare].flatMap((text) => [spell(text, letters), spell(text, otherLetters)]);
  return [pattern, pattern.replace(/\d+$/, ''), ...spelled];
}

function spell(text: string, by: Readonly<Record<string, string>>): string {
  return [...text].map((character) => by[character] ?? character.replace(/[^a-z]/, '')).join('');
}
