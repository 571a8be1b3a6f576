/**
 * Why a pattern is not one that every SDK reads alike, or undefined when it is. Constraints are RE2 (unleash-facts
 * 6.4); without an RE2 here, what is taken is what both RE2 and JavaScript (`u`) understand: it must compile in
 * JavaScript, and use nothing that RE2 does not have or reads differently.
 */
export function regexProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    return `is not a valid regular expression (${(error as Error).message})`;
  }
  let inClass = false;
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at, at + 64);
    const problem = problemAt(rest, inClass);
    if (problem !== undefined) return problem;
    if (rest[0] === '\\') {
      at += 2;
      continue;
    }
    if (!inClass && rest[0] === '[') inClass = true;
    else if (inClass && rest[0] === ']') inClass = false;
    at += 1;
  }
  return undefined;
}

/** What begins here and is not RE2, given that the pattern compiles in JavaScript. */
const refused: readonly {
  readonly where: 'class' | 'outside' | 'anywhere';
  readonly starts: RegExp;
  readonly why: string;
}[] = [
  { where: 'outside', starts: /^\(\?<?[=!]/, why: 'must not look ahead or behind' },
  { where: 'outside', starts: /^\(\?<(?![=!]|\w+>)/, why: 'must name groups by letters, digits and _' },
  { where: 'anywhere', starts: /^\\([1-9]|k<)/, why: 'must not refer back to a group' },
  { where: 'anywhere', starts: /^\\[cu0]/, why: 'must not use the escapes \\c, \\u and \\0' },
  // Both know the general categories by their short names, and nothing else by the same name.
  {
    where: 'anywhere',
    starts: /^\\[pP]\{(?!(C[cfos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)\})/,
    why: 'may name characters by general category only, such as \\p{Lu}',
  },
  { where: 'class', starts: /^\\b/, why: 'must not use \\b inside a character class' },
  { where: 'class', starts: /^\[:/, why: 'must not use [: inside a character class' },
  { where: 'outside', starts: /^\[\^?\]/, why: 'must not hold an empty character class' },
];

/** RE2 repeats nothing more often. */
const maxRepeat = 1000;

function problemAt(rest: string, inClass: boolean): string | undefined {
  const here = inClass ? 'class' : 'outside';
  const match = refused.find(({ where, starts }) => (where === 'anywhere' || where === here) && starts.test(rest));
  if (match !== undefined) return match.why;
  const repeat = inClass ? null : /^\{(\d+)(?:,(\d*))?\}/.exec(rest);
  const most = Math.max(Number(repeat?.[1] ?? 0), Number(repeat?.[2] ?? 0));
  // A count too long for the window cannot be small.
  if (most > maxRepeat || (repeat === null && !inClass && /^\{\d{5}/.test(rest))) {
    return `must not repeat anything more than ${maxRepeat} times`;
  }
  return undefined;
}
