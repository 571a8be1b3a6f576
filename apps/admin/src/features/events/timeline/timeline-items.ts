import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readableAuthor } from '@yardarm/contract/author-names';
import {
  type LoggedEvent,
  type ReceivedSignal,
  searchEvents,
  subjectOf,
  titleOf,
} from '../../../entities/events/event-queries.ts';
import { type EventSearch, filtersOf } from '../../../entities/events/event-search.ts';
import { senderOf, summaryOf } from '../../../entities/signals/signal-queries.ts';
import { useEachNewer } from '../../../lib/activity.ts';
import { known } from '../../../lib/address.ts';
import { api } from '../../../lib/api.ts';
import { loadedFor, type TimeRange } from './scale.ts';

/** An item of the timeline: a signal, a flag switched on or off, or another change. */
export interface TimelineItem {
  readonly key: string;
  readonly id: number;
  readonly kind: 'signal' | 'on' | 'off' | 'change';
  /** In milliseconds. */
  readonly at: number;
  readonly title: string;
  /** The flag, or other subject, and the environment. */
  readonly about: string;
  readonly by: string;
  /** The id of the signal that caused the change; null when none did. */
  readonly cause: number | null;
}

/** The time from which on a lane shows every item, by lane. Lanes without a time are complete. */
export type Complete = Readonly<Partial<Record<'signals' | 'switches' | 'changes', number>>>;

export interface TimelineData {
  /** Oldest first. */
  readonly items: readonly TimelineItem[];
  /** The time from which on each lane is complete: older items are not loaded when there are too many. */
  readonly complete: Complete;
}

/**
 * The maximum number of events in a page, of events in two pages, and of signals. It is lower for signals, because they
 * carry their payload.
 */
const eventsAtOnce = 1000;
const eventsDrawn = 2000;
const signalsDrawn = 500;

/** Loads the events and signals of a time range. Filters apply to events only. */
export function useTimeline(search: EventSearch, range: TimeRange, live: boolean) {
  const { from, to, ...filters } = filtersOf(search);
  const { start, end } = loadedFor(range);
  const timeline = useQuery({
    queryKey: ['GET /api/admin/search/events', 'timeline', filters, start, end],
    queryFn: () => load(filters, { start, end }),
    placeholderData: keepPreviousData,
  });
  useEachNewer(['events', 'signals'], timeline.refetch, live);
  return timeline;
}

async function load(filters: EventSearch, { start, end }: TimeRange): Promise<TimelineData> {
  const [from, to] = [isoTime(start), isoTime(end)];
  const search = { ...filters, from, to };
  const [first, signals] = await Promise.all([
    searchEvents(search, eventsAtOnce),
    api('GET /api/admin/signals', { query: { from: `IS:${from}`, to: `IS:${to}`, limit: String(signalsDrawn) } }),
  ]);
  const second = first.nextCursor === null ? [] : (await searchEvents(search, eventsAtOnce, first.nextCursor)).events;
  const items = [...first.events, ...second].map(ofEvent);
  const changes = cutOf(items, eventsDrawn);
  const switched = changes === undefined ? [] : await olderSwitches(search, changes);
  const fromSignals = signals.signals.map(ofSignal);
  const all = [...items, ...switched, ...fromSignals];
  const switches = changes === undefined ? undefined : cutOf(switched, eventsAtOnce);
  return {
    items: [...new Map(all.map((item) => [item.key, item])).values()].sort((a, b) => a.at - b.at),
    complete: known({ signals: cutOf(fromSignals, signalsDrawn), switches, changes }),
  };
}

/**
 * Returns the time of the oldest loaded item when the limit `most` was reached; undefined when all items are loaded.
 * Items are newest first.
 */
function cutOf(items: readonly TimelineItem[], most: number): number | undefined {
  return items.length < most ? undefined : items.at(-1)?.at;
}

/** Loads on and off switches that are older than the loaded events, because users look for switches most. */
async function olderSwitches(search: EventSearch, before: number): Promise<readonly TimelineItem[]> {
  const type = (search.type ?? switchTypes).filter((name) => switchTypes.includes(name));
  if (type.length === 0) return [];
  const { events } = await searchEvents({ ...search, type, to: isoTime(before) }, eventsAtOnce);
  return events.map(ofEvent).filter(({ kind }) => kind === 'on' || kind === 'off');
}

/** Returns a time in ISO 8601, not before 1970: the server accepts years with four digits only. */
function isoTime(ms: number): string {
  return new Date(Math.max(0, ms)).toISOString();
}

const switches: Readonly<Record<string, 'on' | 'off'>> = {
  'feature-environment-enabled': 'on',
  'feature-environment-disabled': 'off',
};
const effective = 'feature-effective-state-changed';
const switchTypes: readonly string[] = [...Object.keys(switches), effective];

/**
 * Returns the kind of an event. For changes of the effective state, the data of the event tells whether the flag is on.
 */
function kindOf({ type, data, preData }: LoggedEvent): TimelineItem['kind'] {
  if (type !== effective) return switches[type] ?? 'change';
  const [is, was] = [enabledIn(data), enabledIn(preData)];
  if (is === was || is === undefined) return 'change';
  return is ? 'on' : 'off';
}

function enabledIn(state: LoggedEvent['data']): boolean | undefined {
  const { enabled } = (state ?? {}) as { readonly enabled?: unknown };
  return typeof enabled === 'boolean' ? enabled : undefined;
}

function ofEvent(event: LoggedEvent): TimelineItem {
  return {
    key: `e${event.id}`,
    id: event.id,
    kind: kindOf(event),
    at: Date.parse(event.createdAt),
    title: titleOf(event),
    about: [subjectOf(event), event.environment].filter((part) => (part ?? '') !== '').join(' · '),
    by: readableAuthor(event.createdBy),
    cause: event.cause.signalId,
  };
}

function ofSignal(signal: ReceivedSignal): TimelineItem {
  return {
    key: `s${signal.id}`,
    id: signal.id,
    kind: 'signal',
    at: Date.parse(signal.createdAt),
    title: `Signal from ${signal.sourceName ?? 'a deleted endpoint'}`,
    about:
      signal.payload === undefined
        ? 'Payload hidden'
        : summaryOf({ normalized: signal.normalized ?? null, payload: signal.payload }),
    by: senderOf(signal),
    cause: null,
  };
}
