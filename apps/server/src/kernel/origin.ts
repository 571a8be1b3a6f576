/** Returns whether a text is a web origin as browsers write it: scheme, host, and a port unless it is the default. */
export function isOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
