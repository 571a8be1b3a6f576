import {
  type AnswerCache,
  type CachedAnswer,
  type Delta,
  deltaSince,
  type FeatureQuery,
  type Snapshot,
} from '#features/sdks/sdk/index.ts';
import { deltaEtag, formatPosition } from '#http/if-none-match.ts';
import { message, type View } from '#http/stream-view.ts';

/** Returns the view of the SDK stream (docs/spec#streaming): first all flags, then deltas. */
export function flagView(snapshot: Snapshot, hydrations: AnswerCache, query: FeatureQuery): View {
  const { environment } = query;
  const idOf = (id: number) => formatPosition({ id, epoch: snapshot.epoch });
  const since = (id: number) => deltaSince(snapshot, query, { id, epoch: snapshot.epoch });
  const fullMessage = (event: string, isRehydration: boolean) => {
    const answer = hydrations.answer(query, undefined);
    const framed = ({ position, bytes }: Pick<CachedAnswer, 'position' | 'bytes'>) => ({
      revision: position.id,
      bytes: message(event, formatPosition(position), bytes),
      isRehydration,
    });
    return answer instanceof Promise ? answer.then(framed) : framed(answer);
  };
  const deltaMessage = (event: string, { revision, json }: Delta) => ({
    // Changes after the delta's last event do not affect this query.
    revision: Math.max(revision, snapshot.revision(environment)),
    bytes: message(event, idOf(revision), Buffer.from(`{"events":${json}}`)),
    isRehydration: false,
  });
  return {
    key: `flags ${query.json}`,
    environment,
    revision: () => snapshot.revision(environment),
    first: (lastRevision) => {
      const delta = lastRevision === undefined ? undefined : since(lastRevision);
      if (delta === undefined) return fullMessage('unleash-connected', lastRevision !== undefined);
      return deltaMessage('unleash-connected', delta ?? { revision: lastRevision as number, json: '[]' });
    },
    next: (revision) => {
      const delta = since(revision);
      if (delta === undefined) return fullMessage('unleash-updated', true);
      return delta && deltaMessage('unleash-updated', delta);
    },
  };
}

/**
 * Returns the view of the OFREP event stream: messages tell a provider to evaluate again (OFREP 0.3, event streams).
 */
export function refetchView(snapshot: Snapshot, query: FeatureQuery): View {
  const { environment } = query;
  const refetchMessage = (since: number) => {
    if (deltaSince(snapshot, query, { id: since, epoch: snapshot.epoch }) === null) return null;
    const position = snapshot.position(environment);
    const data = Buffer.from(JSON.stringify({ type: 'refetchEvaluation', etag: deltaEtag(position) }));
    return { revision: position.id, bytes: message('message', formatPosition(position), data), isRehydration: false };
  };
  return {
    key: `notices ${query.json}`,
    environment,
    revision: () => snapshot.revision(environment),
    first: (lastRevision) => (lastRevision === undefined ? null : refetchMessage(lastRevision)),
    next: refetchMessage,
  };
}
