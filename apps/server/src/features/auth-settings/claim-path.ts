/** A name, a quoted name in brackets, or each of a list. */
const step = /\.?(?:\[\s*(?:'([^']*)'|"([^"]*)"|(\*|\d+))\s*\]|([^.[\]]+))/y;

/**
 * What stands at a path in claims: `groups`, `realm_access.roles`, `$.teams[*].name`, `['https://example.com/groups']`.
 * A claim that is called as the whole path goes first. Undefined when there is nothing.
 */
export function readPath(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  const steps = stepsOf(path);
  return steps?.reduce<unknown>((at, name) => (at === undefined ? undefined : follow(at, name)), claims);
}

/** Whether a text is a path, wherever it leads. */
export function isPath(text: string): boolean {
  return stepsOf(text) !== undefined;
}

/** The names on the way; undefined of what is no path. */
function stepsOf(path: string): string[] | undefined {
  const rest = path.replace(/^\$\.?/, '');
  const steps: string[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < rest.length) {
    const match = step.exec(rest);
    if (match === null) return undefined;
    steps.push(match[1] ?? match[2] ?? match[3] ?? (match[4] as string));
  }
  return steps.length === 0 ? undefined : steps;
}

function follow(at: unknown, name: string): unknown {
  if (typeof at !== 'object' || at === null) return undefined;
  if (Array.isArray(at)) {
    if (name === '*') return at;
    if (/^\d+$/.test(name)) return at[Number(name)];
    // A name after [*] is asked of each.
    return at.flatMap((each) => follow(each, name) ?? []);
  }
  return Object.hasOwn(at, name) ? (at as Record<string, unknown>)[name] : undefined;
}
