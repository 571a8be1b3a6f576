/** Whether a text is the origin of web pages as browsers name it: scheme, host, and a port that is not the scheme's own. */
export function isOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
