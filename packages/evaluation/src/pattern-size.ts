/**
 * What a pattern is made of, as RE2 divides it; what is no token of a kind of its own is one character. What looks for
 * an end stops before another beginning, else the time would be the square of the text.
 */
const tokens = new RegExp(
  [
    /\\Q(?<quoted>.*?)(?:\\E|$)/,
    /(?<class>\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]?)/,
    /(?<property>\\[pP](?:\{[^}\\]*\}|.))/,
    /\\x\{[\dA-Fa-f]*\}|\\./,
    // Sets flags and is nothing itself: what follows repeats what stands before it.
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

/** What RE2 looks up to read a Unicode property is about what this many repeats take. */
const propertyWeight = 20;
/** Without regard to case, each character of a range is looked up; a hundred of them take what a repeat takes. */
const rangeWeight = 1 / 100;
/** No character from here on has a case. */
const caseEnd = 0x1e944;
/** RE2 itself takes no count above 1000. */
const maxCount = 1001;

/**
 * How much there is to compile in a pattern of RE2 syntax, in characters: its counted repeats written out (those inside
 * of others multiply), and its Unicode properties and wide ranges by what they cost. Never less than the length of the
 * text, nor less than a third of the instructions that RE2 makes of it; of a text that is no pattern it is any number.
 * Takes time in proportion to the text, and never throws.
 */
export function patternSize(pattern: string): number {
  let tables = 0;
  // Of each group that is open: the size of all in it, and of the last piece of it, which a repeat repeats.
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

/** Repeats share a class: it counts once. */
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

/** The character that a text of a class stands for. An escape without a number stands for a low one. */
function codeOf(text: string): number {
  const hex = /^\\x\{?([\dA-Fa-f]+)/.exec(text)?.[1];
  if (hex !== undefined) return Number.parseInt(hex, 16);
  return text.startsWith('\\') ? 0 : (text.codePointAt(0) ?? 0);
}
