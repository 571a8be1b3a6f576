/** What a browser calls itself, the most particular first: nearly all of them say Chrome or Safari too. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\/|\bOpera\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//],
  ['Safari', /\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//],
] as const;

/** Android says Linux too, and an iPhone Mac OS X. */
const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** The name at the start of what a program calls itself, as in `curl/8.14.1`. */
const program = /^([A-Za-z][\w.-]{0,39})(?:\/|$)/;

/** More of it than any browser sends is not read. */
const longest = 512;

/**
 * What a `User-Agent` header says somebody uses, in a few words: "Firefox on Linux", "curl". Null when it says nothing
 * that is known. Only words from here, and the plain name of a program, are ever in it: whoever calls chooses the header.
 */
export function deviceOf(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, longest);
  const [browser, system] = [nameIn(browsers, text), nameIn(systems, text)];
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  const name = program.exec(text)?.[1];
  // Every browser begins so.
  return browser ?? system ?? (name === 'Mozilla' ? undefined : name) ?? null;
}

function nameIn(names: readonly (readonly [string, RegExp])[], text: string): string | undefined {
  return names.find(([, pattern]) => pattern.test(text))?.[0];
}
