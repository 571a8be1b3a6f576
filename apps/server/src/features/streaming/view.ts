import { type SharedBytes, shareBytes } from '../../http/event-stream.ts';
import { type Delta, deltaSince, type FeatureQuery, type ReadyAnswers, type Snapshot } from '../sdk/index.ts';

/** A message as it goes over the wire. */
export interface Message {
  /** What one has been told who got it. */
  readonly revision: number;
  readonly bytes: SharedBytes;
  /** Whether it holds everything because what changed is no longer known. */
  readonly isRehydration: boolean;
}

/** What some readers are shown. Views of the same key show the same. */
export interface View {
  readonly key: string;
  readonly environment: string;
  /** What one has been told who was told everything. */
  revision(): number;
  /** What a stream begins with, for one that knows what held after the event `known`; null for nothing. */
  first(known: number | undefined): Message | null | Promise<Message>;
  /** What to tell one who was told up to the event `told`; null for nothing. */
  next(told: number): Message | null | Promise<Message>;
}

/** The flags of a query, as SDKs take them from a stream (docs/spec#streaming): everything first, then what changes. */
export function flagView(snapshot: Snapshot, hydrations: ReadyAnswers, query: FeatureQuery): View {
  const { environment } = query;
  const everything = (event: string, isRehydration: boolean) => {
    const answer = hydrations.answer(query, undefined);
    const framed = ({ revision, bytes }: { readonly revision: number; readonly bytes: Buffer }) => ({
      revision,
      bytes: message(event, revision, bytes),
      isRehydration,
    });
    return answer instanceof Promise ? answer.then(framed) : framed(answer);
  };
  const changed = (event: string, { revision, json }: Delta) => ({
    // Up to now there was nothing else for this query.
    revision: Math.max(revision, snapshot.revision(environment)),
    bytes: message(event, revision, Buffer.from(`{"events":${json}}`)),
    isRehydration: false,
  });
  return {
    key: `flags ${query.json}`,
    environment,
    revision: () => snapshot.revision(environment),
    first: (known) => {
      const delta = known === undefined ? undefined : deltaSince(snapshot, query, known);
      if (delta === undefined) return everything('unleash-connected', known !== undefined);
      return changed('unleash-connected', delta ?? { revision: known as number, json: '[]' });
    },
    next: (told) => {
      const delta = deltaSince(snapshot, query, told);
      if (delta === undefined) return everything('unleash-updated', true);
      return delta && changed('unleash-updated', delta);
    },
  };
}

/** That the flags of a query may have changed, for providers that then ask for them (OFREP 0.3, event streams). */
export function noticeView(snapshot: Snapshot, query: FeatureQuery): View {
  const { environment } = query;
  const notice = (since: number) => {
    if (deltaSince(snapshot, query, since) === null) return null;
    const revision = snapshot.revision(environment);
    const data = Buffer.from(JSON.stringify({ type: 'refetchEvaluation', etag: `"${revision}"` }));
    return { revision, bytes: message('message', revision, data), isRehydration: false };
  };
  return {
    key: `notices ${query.json}`,
    environment,
    revision: () => snapshot.revision(environment),
    first: (known) => (known === undefined ? null : notice(known)),
    next: notice,
  };
}

const lineEnd = Buffer.from('\n\n');

/** A message of the event stream format. JSON holds line ends only as white space; each begins another `data` line. */
function message(event: string, id: number, data: Buffer): SharedBytes {
  const head = Buffer.from(`id: ${id}\nevent: ${event}\ndata: `);
  const isOneLine = !data.includes(0x0a) && !data.includes(0x0d);
  const lines = isOneLine ? data : Buffer.from(data.toString().replace(/\r\n|\r|\n/g, '\ndata: '));
  return shareBytes([head, lines, lineEnd]);
}
