import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FeatureQuery } from './feature-query.ts';
import type { ServedFlag } from './served-flag.ts';
import type { ServedSegments } from './served-segment.ts';

/** Flags whose JSON is made in one turn of the event loop: some milliseconds of work. */
const flagsAtOnce = 200;

/** Whether {@link assemble} would have so much JSON to make that others had to wait for it. */
export function isMuchWork(flags: readonly ServedFlag[], { environment, segmentForm }: FeatureQuery): boolean {
  let missing = 0;
  for (const flag of flags) if (!flag.isReady(environment, segmentForm) && ++missing > flagsAtOnce) return true;
  return false;
}

/** Makes the JSON of flags that have none yet, a few in each turn of the event loop. */
export async function makeReady(
  flags: readonly ServedFlag[],
  { environment, segmentForm }: FeatureQuery,
): Promise<void> {
  let made = 0;
  for (const flag of flags) {
    if (flag.isReady(environment, segmentForm)) continue;
    flag.bytes(environment, segmentForm);
    if (++made % flagsAtOnce === 0) await nextTurn();
  }
}

/** The body of an answer (unleash-facts 4.3): copied together from the flags' own bytes, never printed as a whole. */
export function assemble(
  flags: readonly ServedFlag[],
  served: ServedSegments,
  query: FeatureQuery,
  revision: number,
  etag: string,
): Buffer {
  const { environment, segmentForm } = query;
  const segments = segmentForm === 'inline' ? '' : `"segments":[${segmentsOf(flags, served, environment)}],`;
  const meta = JSON.stringify({ revisionId: revision, etag, queryHash: query.hash });
  const head = Buffer.from('{"version":2,"features":[');
  const tail = Buffer.from(`],${segments}"query":${query.json},"meta":${meta}}`);
  let length = head.length + tail.length + Math.max(0, flags.length - 1);
  for (const flag of flags) length += flag.bytes(environment, segmentForm).length;
  const body = Buffer.allocUnsafe(length);
  let at = head.copy(body);
  for (const [index, flag] of flags.entries()) {
    if (index > 0) body[at++] = comma;
    at += flag.bytes(environment, segmentForm).copy(body, at);
  }
  tail.copy(body, at);
  return body;
}

const comma = 0x2c;

/** The segments that the flags use there, and no others: what a token does not open it does not show. */
function segmentsOf(flags: readonly ServedFlag[], served: ServedSegments, environment: string): string {
  const ids = new Set<number>();
  for (const flag of flags) for (const id of flag.segmentsIn(environment)) ids.add(id);
  return [...ids]
    .sort((a, b) => a - b)
    .flatMap((id) => served.get(id)?.json ?? [])
    .join(',');
}
