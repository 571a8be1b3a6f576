import type { State } from '@yardarm/contract';

/**
 * Leaves out whether flags are on where people switch them: in `all` projects, or where an earlier state of the same
 * files said so with `switchedBy`, which is kept.
 */
export function leaveSwitches(state: State, earlier: State | undefined | 'all'): State {
  const { projects = {} } = state;
  const marked = mapEntries(projects, ({ flags = {}, ...project }, id) => {
    const before = earlier === 'all' ? undefined : earlier?.projects?.[id];
    const ofProject = earlier === 'all' ? 'people' : before?.switchedBy;
    return {
      ...markOf(ofProject),
      ...project,
      flags: mapEntries(flags, (flag, name) => {
        const own = before?.flags?.[name]?.switchedBy;
        const kept = { ...markOf(own), ...flag };
        if ((own ?? ofProject) !== 'people') return kept;
        const environments = mapEntries(flag.environments ?? {}, ({ enabled: _, ...environment }) => environment);
        return { ...kept, environments };
      }),
    };
  });
  return { ...state, projects: marked };
}

function markOf(switchedBy: 'people' | 'files' | undefined) {
  return switchedBy === undefined ? {} : { switchedBy };
}

function mapEntries<From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
