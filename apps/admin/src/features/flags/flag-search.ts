import { type Address, choiceIn, known, switchIn, textIn } from '../../lib/address.ts';

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

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readFlagSearch(address: Address): FlagSearch {
  return known({
    query: textIn(address.query),
    type: textIn(address.type),
    stage: textIn(address.stage),
    tag: textIn(address.tag),
    created: dayIn(address.created),
    seen: dayIn(address.seen),
    creator: Number.isSafeInteger(address.creator) ? Number(address.creator) : undefined,
    state: choiceIn(states, address.state),
    sort: choiceIn(sorts, address.sort),
    held: switchIn(address.held),
    desc: switchIn(address.desc),
  });
}

function dayIn(value: unknown): DayFilter | undefined {
  if (typeof value !== 'string' || !/^(after|before):\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  return Number.isNaN(Date.parse(value.slice(value.indexOf(':') + 1))) ? undefined : (value as DayFilter);
}
