/**
 * Returns a name or address with A to Z in lower case, as both databases compare it. Other letters stay: some of them,
 * such as the Kelvin sign (U+212A), become a letter of ASCII in lower case, and would open the account of another name.
 */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
