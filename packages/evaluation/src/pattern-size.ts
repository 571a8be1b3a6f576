/**
 * Splits a pattern into tokens like RE2; any other character is a token of its own. Alternatives that look for an end
 * stop at the next beginning, so that matching takes linear time.
 */
const tokens = new RegExp(
  [
    /\\Q(?<quoted>.*?)(?:\\E|$)/,
    /(?<class>\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]?)/,
    /(?<property>\\[pP](?:\{[^}\\]*\}|.))/,
    /\\x\{[\dA-Fa-f]*\}|\\./,
    // Flags such as `(?i)` are not an item: a repeat after them applies to the item before them.
    /(?<flags>\(\?[A-Za-z-]*\))/,
    /(?<open>\((?:\?P?<\w*>|\?[A-Za-z-]*:)?)/,
    /(?<close>\))/,
    /\{(?<least>\d+)(?:,(?<most>\d*))?\}/,
    /(?<again>[*+?])/,
    /./,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gsu',
);

const classItems =
  /(?<property>\\[pP](?:\{[^}\\]*\}|.))|(?<low>\\x\{[\dA-Fa-f]*\}|\\x[\dA-Fa-f]{2}|\\?.)(?:-(?<high>\\x\{[\dA-Fa-f]*\}|\\x[\dA-Fa-f]{2}|\\?[^\]]))?/gsu;

/** The cost of compiling a Unicode property such as `\p{L}`: that of 20 characters. */
const propertyWeight = 20;
/**
 * The cost of a character in a range, such as `a-z`, of a case-insensitive pattern: a hundredth of another character's
 * cost.
 */
const rangeWeight = 1 / 100;
/** The first code point after all characters that have an upper and a lower case. */
const caseEnd = 0x1e944;
/** One more than the highest repeat count that RE2 accepts, so that a larger count costs no more. */
const maxCount = 1001;

/**
 * Returns the cost of compiling a pattern in RE2 syntax, in characters: counted repeats are expanded (nested repeats
 * multiply), and Unicode properties and wide ranges are weighted. It is never less than the length of the pattern, nor
 * less than a third of its RE2 instructions; for invalid patterns it is any number. Takes linear time and never throws.
 */
export function patternSize(pattern: string): number {
  let tables = 0;
  // Open groups: `all` is the size of the group, `last` the size of its last piece, which a repeat multiplies.
  const groups = [{ all: 0, last: 0 }];
  let group = groups[0] as (typeof groups)[number];
  const add = (size: number) => {
    group.all += size;
    group.last = size;
  };
  for (const { groups: token = {} } of pattern.matchAll(tokens)) {
    if (token.flags !== undefined || token.quoted === '') continue;
    if (token.open !== undefined) {
      group = { all: 2, last: 0 };
      groups.push(group);
    } else if (token.close !== undefined && groups.length > 1) {
      const { all } = groups.pop() as typeof group;
      group = groups.at(-1) as typeof group;
      add(all);
    } else if (token.least !== undefined) {
      const count = Math.min(maxCount, Math.max(1, Number(token.least), Number(token.most ?? 0)));
      group.all += group.last * (count - 1);
      group.last *= count;
    } else if (token.again !== undefined) {
      group.all += 1;
      group.last += 1;
    } else {
      add(token.quoted?.length ?? 1);
      if (token.class !== undefined) tables += classSize(token.class);
      else if (token.property !== undefined) tables += propertyWeight;
    }
  }
  const written = groups.reduce((sum, { all }) => sum + all, tables);
  return Math.max(pattern.length, written);
}

/** Returns the cost of a character class. Repeats share the class, so it counts once. */
function classSize(text: string): number {
  let size = 0;
  for (const { groups: item = {} } of text.slice(1, -1).matchAll(classItems)) {
    if (item.property !== undefined) size += propertyWeight;
    else if (item.high !== undefined) {
      const width = Math.min(caseEnd, codeOf(item.high)) - codeOf(item.low ?? '');
      size += Math.max(0, Math.ceil(width * rangeWeight));
    }
  }
  return size;
}

/** Returns the code point of an item of a class; 0 for an escape without a number. */
function codeOf(text: string): number {
  const hex = /^\\x\{?([\dA-Fa-f]+)/.exec(text)?.[1];
  if (hex !== undefined) return Number.parseInt(hex, 16);
  return text.startsWith('\\') ? 0 : (text.codePointAt(0) ?? 0);
}
