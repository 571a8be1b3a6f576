import { deltaEtag } from '#http/if-none-match.ts';
import { yieldToEventLoop } from '#kernel/event-loop.ts';
import type { FeatureQuery } from './feature-query.ts';
import type { SnapshotFlag } from './snapshot-flag.ts';
import type { SnapshotSegments } from './snapshot-segment.ts';

/** Flags serialized per turn of the event loop: few, because the first ones run before the code is optimized. */
const flagsPerTurn = 50;

/** Returns whether {@link assemble} would have to serialize so many flags that it would block the event loop. */
export function needsSeveralTurns(flags: readonly SnapshotFlag[], { environment, segmentForm }: FeatureQuery): boolean {
  let missing = 0;
  for (const flag of flags) if (!flag.isReady(environment, segmentForm) && ++missing > flagsPerTurn) return true;
  return false;
}

/** Serializes the flags that have no cached JSON, a few in each turn of the event loop. */
export async function serializeFlags(
  flags: readonly SnapshotFlag[],
  { environment, segmentForm }: FeatureQuery,
): Promise<void> {
  let serialized = 0;
  for (const flag of flags) {
    if (flag.isReady(environment, segmentForm)) continue;
    flag.bytes(environment, segmentForm);
    if (++serialized % flagsPerTurn === 0) await yieldToEventLoop();
  }
}

/** The JSON before and after the flags in the body of an answer. */
export interface Envelope {
  readonly head: string;
  readonly tail: string;
}

/** How an answer is written: its ETag, and the JSON around its flags. */
export interface AnswerFormat {
  etag(query: FeatureQuery, position: LogEnd): string;
  /** `segments` is a JSON array of the segments that the flags use in the query's environment. */
  envelope(query: FeatureQuery, position: LogEnd, segments: string): Envelope;
}

/** The revision of an answer, and the epoch of the log in which it is the id of an event. */
export interface LogEnd {
  readonly id: number;
  readonly epoch: string;
}

/** The answer of `GET /api/client/features` (docs/spec#sdk-flags). */
export const fullAnswer: AnswerFormat = {
  etag: (query, { id, epoch }) => `"${query.hash}:${id}:v1:${epoch}"`,
  envelope(query, position, list) {
    const segments = query.segmentForm === 'inline' ? '' : `"segments":${list},`;
    const meta = JSON.stringify({
      revisionId: position.id,
      etag: this.etag(query, position),
      queryHash: query.hash,
    });
    return { head: '{"version":2,"features":[', tail: `],${segments}"query":${query.json},"meta":${meta}}` };
  },
};

/** The first answer of `GET /api/client/delta`: one event with all flags (docs/spec#delta). */
export const hydration: AnswerFormat = {
  etag: (_query, position) => deltaEtag(position),
  envelope: (_query, { id }, segments) => ({
    head: `{"events":[{"type":"hydration","eventId":${id},"features":[`,
    tail: `],"segments":${segments}}]}`,
  }),
};

/** Builds the body of an answer by copying the cached bytes of each flag, without serializing the whole. */
export function assemble(
  format: AnswerFormat,
  flags: readonly SnapshotFlag[],
  segments: SnapshotSegments,
  query: FeatureQuery,
  position: LogEnd,
): Buffer {
  const { environment, segmentForm } = query;
  const { head, tail } = format.envelope(query, position, `[${segmentsOf(flags, segments, environment)}]`);
  const [before, after] = [Buffer.from(head), Buffer.from(tail)];
  let length = before.length + after.length + Math.max(0, flags.length - 1);
  for (const flag of flags) length += flag.bytes(environment, segmentForm).length;
  const body = Buffer.allocUnsafe(length);
  let at = before.copy(body);
  for (const [index, flag] of flags.entries()) {
    if (index > 0) body[at++] = comma;
    at += flag.bytes(environment, segmentForm).copy(body, at);
  }
  after.copy(body, at);
  return body;
}

const comma = 0x2c;

/**
 * Returns the JSON of the segments that the flags use, and no others: a token must not see segments of other projects.
 */
function segmentsOf(flags: readonly SnapshotFlag[], segments: SnapshotSegments, environment: string): string {
  const ids = new Set<number>();
  for (const flag of flags) for (const id of flag.segmentsIn(environment)) ids.add(id);
  return [...ids]
    .sort((a, b) => a - b)
    .flatMap((id) => segments.get(id)?.json ?? [])
    .join(',');
}
