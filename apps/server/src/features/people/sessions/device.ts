/** Browsers by their User-Agent token, the most specific first: nearly all browsers name Chrome or Safari, too. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\/|\bOpera\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//],
  ['Safari', /\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//],
] as const;

/** Operating systems, the most specific first: Android names Linux, too, and an iPhone names Mac OS X. */
const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** The product name at the start of a User-Agent, as in `curl/8.14.1`. */
const program = /^([A-Za-z][\w.-]{0,39})(?:\/|$)/;

/** The longest part of a User-Agent header that is read. */
const longest = 512;

/**
 * Returns a short name of the client from its `User-Agent` header, such as "Firefox on Linux" or "curl"; null when it
 * is unknown. The client controls the header, so the result holds only names of the lists above or a plain product
 * name.
 */
export function deviceOf(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, longest);
  const [browser, system] = [nameIn(browsers, text), nameIn(systems, text)];
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  const name = program.exec(text)?.[1];
  // Every browser's User-Agent begins with Mozilla.
  return browser ?? system ?? (name === 'Mozilla' ? undefined : name) ?? null;
}

function nameIn(names: readonly (readonly [string, RegExp])[], text: string): string | undefined {
  return names.find(([, pattern]) => pattern.test(text))?.[0];
}
