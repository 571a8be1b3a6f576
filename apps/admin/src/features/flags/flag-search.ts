/** The search of the flag table, as stored in the address of the page. */
export interface FlagSearch {
  readonly query?: string;
  readonly state?: (typeof states)[number];
  readonly type?: string;
  readonly stage?: string;
  /** In the form `team:payments`. */
  readonly tag?: string;
  /** The id of the creator. */
  readonly creator?: number;
  readonly created?: DayFilter;
  /** When an SDK last evaluated the flag. */
  readonly seen?: DayFilter;
  /** Only flags that are held in an environment. */
  readonly held?: true;
  readonly sort?: (typeof sorts)[number];
  readonly desc?: true;
}

/** A change of the search; undefined values clear a filter. */
export type FlagSearchChange = { readonly [K in keyof FlagSearch]?: FlagSearch[K] | undefined };

/** A date filter: `after:2026-01-31` matches that day (UTC) and later days, `before:2026-01-31` earlier days. */
export type DayFilter = `${'after' | 'before'}:${string}`;

const states = ['active', 'stale', 'potentially-stale'] as const;
const sorts = ['name', 'type', 'createdAt', 'lastSeenAt'] as const;
const words = ['query', 'type', 'stage', 'tag'] as const;
const days = ['created', 'seen'] as const;

function isDay(value: unknown): value is DayFilter {
  if (typeof value !== 'string' || !/^(after|before):\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  return !Number.isNaN(Date.parse(value.slice(value.indexOf(':') + 1)));
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readFlagSearch(search: Readonly<Record<string, unknown>>): FlagSearch {
  const state = states.find((known) => known === search.state);
  const sort = sorts.find((known) => known === search.sort);
  const given = words.map((name) => [name, search[name]]).filter(([, text]) => typeof text === 'string' && text !== '');
  return {
    ...Object.fromEntries(given),
    ...Object.fromEntries(days.flatMap((name) => (isDay(search[name]) ? [[name, search[name]]] : []))),
    ...(Number.isInteger(search.creator) ? { creator: Number(search.creator) } : {}),
    ...(state === undefined ? {} : { state }),
    ...(sort === undefined ? {} : { sort }),
    ...(search.held === true ? { held: true as const } : {}),
    ...(search.desc === true ? { desc: true as const } : {}),
  };
}
