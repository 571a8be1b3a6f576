/** A parsed semantic version. */
export interface Version {
  readonly numbers: readonly [number, number, number];
  /** The pre-release identifiers; empty for a release. */
  readonly prerelease: readonly string[];
}

const number = '(0|[1-9]\\d*)';
const identifier = '(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const strict = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`,
);
const digits = /^\d+$/;
const maxLength = 256;

/**
 * Parses a version strictly by Semantic Versioning 2.0.0, without a leading `v`. Returns undefined for an invalid
 * version.
 */
export function parseVersion(text: string): Version | undefined {
  if (text.length > maxLength) return undefined;
  const match = strict.exec(text);
  if (match === null) return undefined;
  const numbers = [Number(match[1]), Number(match[2]), Number(match[3])] as const;
  if (!numbers.every(Number.isSafeInteger)) return undefined;
  return { numbers: [...numbers], prerelease: match[4]?.split('.') ?? [] };
}

/**
 * Returns a number below 0 when `a` is lower, above 0 when it is higher, and 0 when they are equal except for build
 * metadata.
 */
export function compareVersions(a: Version, b: Version): number {
  for (const index of [0, 1, 2] as const) {
    if (a.numbers[index] !== b.numbers[index]) return a.numbers[index] - b.numbers[index];
  }
  // A version with a pre-release comes before the one without.
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length;
  for (const [index, mine] of a.prerelease.entries()) {
    const other = b.prerelease[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(mine, other);
    if (order !== 0) return order;
  }
  return a.prerelease.length - b.prerelease.length;
}

/** Numbers come before words, numbers by size, words by their ASCII order. */
function compareIdentifiers(a: string, b: string): number {
  const isNumber = digits.test(a);
  if (isNumber !== digits.test(b)) return isNumber ? -1 : 1;
  // Numbers have no leading zeros, so the longer one is larger. They may exceed 2^53.
  if (isNumber && a.length !== b.length) return a.length - b.length;
  return a === b ? 0 : a < b ? -1 : 1;
}
