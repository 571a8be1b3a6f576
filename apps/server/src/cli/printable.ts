/** Returns a text as one line for a terminal. Names come from users: control characters could change the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
