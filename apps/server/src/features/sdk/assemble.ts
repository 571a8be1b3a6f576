import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { FeatureQuery } from './feature-query.ts';
import type { ServedFlag } from './served-flag.ts';
import type { ServedSegments } from './served-segment.ts';

/** Flags whose JSON is made in one turn of the event loop: few, as the first ones run before the code is optimised. */
const flagsAtOnce = 50;

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
    if (++made % flagsAtOnce === 0) await yieldToEventLoop();
  }
}

/** What stands around the flags in the body of an answer. */
export interface Envelope {
  readonly head: string;
  readonly tail: string;
}

/** The kind of an answer: its tag, and what stands around its flags. */
export interface AnswerForm {
  etag(query: FeatureQuery, revision: number): string;
  /** `segments` is a JSON array of those that the flags use there. */
  envelope(query: FeatureQuery, revision: number, segments: string): Envelope;
}

/** What SDKs get that ask for all flags (docs/spec#sdk-flags). */
export const fullAnswer: AnswerForm = {
  etag: (query, revision) => `"${query.hash}:${revision}:v1"`,
  envelope(query, revision, list) {
    const segments = query.segmentForm === 'inline' ? '' : `"segments":${list},`;
    const meta = JSON.stringify({ revisionId: revision, etag: this.etag(query, revision), queryHash: query.hash });
    return { head: '{"version":2,"features":[', tail: `],${segments}"query":${query.json},"meta":${meta}}` };
  },
};

/** What SDKs that follow changes begin with (docs/spec#delta). */
export const hydration: AnswerForm = {
  etag: (_query, revision) => `"${revision}"`,
  envelope: (_query, revision, segments) => ({
    head: `{"events":[{"type":"hydration","eventId":${revision},"features":[`,
    tail: `],"segments":${segments}}]}`,
  }),
};

/** The body of an answer: copied together from the flags' own bytes, never printed as a whole. */
export function assemble(
  form: AnswerForm,
  flags: readonly ServedFlag[],
  served: ServedSegments,
  query: FeatureQuery,
  revision: number,
): Buffer {
  const { environment, segmentForm } = query;
  const { head, tail } = form.envelope(query, revision, `[${segmentsOf(flags, served, environment)}]`);
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

/** The segments that the flags use there, and no others: what a token does not open it does not show. */
function segmentsOf(flags: readonly ServedFlag[], served: ServedSegments, environment: string): string {
  const ids = new Set<number>();
  for (const flag of flags) for (const id of flag.segmentsIn(environment)) ids.add(id);
  return [...ids]
    .sort((a, b) => a - b)
    .flatMap((id) => served.get(id)?.json ?? [])
    .join(',');
}
