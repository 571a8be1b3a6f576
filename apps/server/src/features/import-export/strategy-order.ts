import type { ImportedData } from '@yardarm/contract';

export type ImportedStrategy = ImportedData['featureStrategies'][number];

/** The strategies of a flag in an order, and where that comes from. */
export interface Ordered {
  readonly strategies: readonly ImportedStrategy[];
  /** What the file says, the ids of the strategies, or merely where they stand in the file. */
  readonly order: 'told' | 'by-id' | 'as-listed';
}

/**
 * Orders the strategies of a flag by their `sortOrder`. An export of Unleash has none and lists strategies in an arbitrary
 * order, but their ids are ULIDs, which ascend with the time of creation: that is the order in which Unleash serves them,
 * unless somebody has moved one.
 */
export function inOrder(strategies: readonly ImportedStrategy[]): Ordered {
  const isTold = strategies.length < 2 || strategies.every((one) => one.isInOrder || one.sortOrder !== undefined);
  const times = strategies.map(({ id }) => timeOrdered(id));
  const byId = strategies.map((one, index) => ({ one, time: times[index] ?? '' }));
  const isById = !isTold && times.every((time) => time !== undefined && time.length === times[0]?.length);
  if (isById) byId.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  return {
    strategies: byId
      .map(({ one }) => one)
      .toSorted((a, b) => (a.sortOrder ?? Number.MAX_VALUE) - (b.sortOrder ?? Number.MAX_VALUE)),
    order: isTold ? 'told' : isById ? 'by-id' : 'as-listed',
  };
}

const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const uuid7 = /^[0-9A-F]{8}-[0-9A-F]{4}-7[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/;

/** Returns an id as text that ascends with the time of its creation; undefined for an id that does not. */
function timeOrdered(id: unknown): string | undefined {
  if (typeof id !== 'string') return undefined;
  const text = id.toUpperCase();
  return ulid.test(text) || uuid7.test(text) ? text : undefined;
}
