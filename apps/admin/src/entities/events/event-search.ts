import { type Address, idIn, known, textIn } from '../../lib/address.ts';
import type { Input } from '../../lib/api.ts';

/** The time spans of the timeline, up to now. */
export const spans = { '1h': 3_600_000, '6h': 21_600_000, '1d': 86_400_000, '7d': 604_800_000, '30d': 2_592_000_000 };
export type Span = keyof typeof spans;

/** The search of the event log, as stored in the address of the page. */
export interface EventSearch {
  readonly query?: string | undefined;
  /** A text that the reason of the change contains. */
  readonly reason?: string | undefined;
  readonly type?: readonly string[] | undefined;
  readonly project?: readonly string[] | undefined;
  readonly feature?: readonly string[] | undefined;
  readonly environment?: readonly string[] | undefined;
  readonly createdBy?: readonly number[] | undefined;
  /** The time range in ISO 8601: `from` is included, `to` is not. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only events caused by this signal. */
  readonly signal?: number | undefined;
  /** Only events of this event group. */
  readonly group?: string | undefined;
  /** The event, or the received signal, that is open in the panel. */
  readonly event?: number | undefined;
  readonly received?: number | undefined;
  /** The range of the timeline: a span up to now, or the two times `start` and `end` in milliseconds. */
  readonly span?: Span | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

const filters = [
  'query',
  'reason',
  'type',
  'project',
  'feature',
  'environment',
  'createdBy',
  'from',
  'to',
  'signal',
  'group',
] as const;

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readEventSearch(address: Address): EventSearch {
  const [start, end] = [idIn(address.start), idIn(address.end)];
  const span = Object.hasOwn(spans, String(address.span)) ? (address.span as Span) : undefined;
  const all = {
    query: textIn(address.query),
    reason: textIn(address.reason),
    type: listIn(address.type),
    project: listIn(address.project),
    feature: listIn(address.feature),
    environment: listIn(address.environment),
    createdBy: listIn(address.createdBy)?.map(Number).filter(Number.isInteger),
    from: timeIn(address.from),
    to: timeIn(address.to),
    signal: idIn(address.signal),
    group: textIn(address.group),
    event: idIn(address.event),
    received: idIn(address.received),
    span,
    ...(start !== undefined && end !== undefined && start < end ? { start, end } : {}),
  };
  return known(all);
}

/** Returns only the filters of a search, without the open event and the range of the timeline. */
export function filtersOf(search: EventSearch): EventSearch {
  return known(Object.fromEntries(filters.map((name) => [name, search[name]])));
}

/** Returns the filters as query parameters of the route that searches events. */
export function asQuery({
  query,
  reason,
  type,
  project,
  feature,
  environment,
  createdBy,
  from,
  to,
  signal,
  group,
}: EventSearch) {
  const given = {
    query,
    reason,
    type: anyOf(type),
    project: anyOf(project),
    feature: anyOf(feature),
    environment: anyOf(environment),
    createdBy: anyOf(createdBy),
    from: from && `IS:${from}`,
    to: to && `IS:${to}`,
    signal: signal === undefined ? undefined : `IS:${signal}`,
    groupId: group && `IS:${group}`,
  };
  return known(given) as NonNullable<Input<'GET /api/admin/search/events'>['query']>;
}

function anyOf(values: readonly (string | number)[] | undefined): string | undefined {
  return values === undefined ? undefined : `IS_ANY_OF:${values.join(',')}`;
}

function listIn(value: unknown): readonly string[] | undefined {
  return (Array.isArray(value) ? value : [value]).flatMap((text) => textIn(text)?.replaceAll(',', ' ').trim() ?? []);
}

function timeIn(value: unknown): string | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) ? new Date(ms).toISOString() : undefined;
}
