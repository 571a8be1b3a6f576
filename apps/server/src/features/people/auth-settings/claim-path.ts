import { itemAt } from '#kernel/lists.ts';

/** A step of a path: a name, a quoted name in brackets, an index, or `[*]` for each item of a list. */
const step = /\.?(?:\[\s*(?:'([^']*)'|"([^"]*)"|(\*|\d+))\s*\]|([^.[\]]+))/y;

/**
 * Returns the value at a path in claims, such as `groups`, `realm_access.roles`, `$.teams[*].name` or
 * `['https://example.com/groups']`; undefined when there is none. A claim whose name is the whole path takes
 * precedence.
 */
export function readPath(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  const steps = stepsOf(path);
  return steps?.reduce<unknown>((at, name) => (at === undefined ? undefined : follow(at, name)), claims);
}

/** Returns whether a text has the syntax of a path. */
export function isPath(text: string): boolean {
  return stepsOf(text) !== undefined;
}

/** Parses a path into its steps; undefined when the text is not a path. */
function stepsOf(path: string): string[] | undefined {
  const rest = path.replace(/^\$\.?/, '');
  const steps: string[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < rest.length) {
    const match = step.exec(rest);
    if (match === null) return undefined;
    steps.push(match[1] ?? match[2] ?? match[3] ?? itemAt(match, 4));
  }
  return steps.length === 0 ? undefined : steps;
}

function follow(at: unknown, name: string): unknown {
  if (typeof at !== 'object' || at === null) return undefined;
  if (Array.isArray(at)) {
    if (name === '*') return at;
    if (/^\d+$/.test(name)) return at[Number(name)];
    // A name after [*] selects the field of each item.
    return at.flatMap((each) => follow(each, name) ?? []);
  }
  return Object.hasOwn(at, name) ? (at as Record<string, unknown>)[name] : undefined;
}
