import { bearerToken } from '../../http/bearer.ts';
import type { NotModifiedCheck } from '../../http/not-modified.ts';
import type { TokenLookup } from '../api-tokens/index.ts';
import { takesSegments } from './client-spec.ts';
import { type FeatureQuery, queryFor } from './feature-query.ts';
import { callerOf } from './guard.ts';
import { deltaTag, namesTag, revisionIn, unchangedHeaders } from './if-none-match.ts';
import type { ReadyAnswers } from './ready-answers.ts';
import type { Snapshot } from './snapshot.ts';

type Header = Parameters<NotModifiedCheck>[0];

/**
 * Tells SDKs of whom all is known in memory that their flags have not changed; of whoever else, or asks for something
 * else, it says nothing.
 */
export function unchangedFeatures(tokens: TokenLookup, answers: ReadyAnswers): NotModifiedCheck {
  return (header) => {
    const query = knownQuery(tokens, header, (takesSegments) => !takesSegments);
    if (query === undefined) return undefined;
    const etag = answers.etag(query);
    return namesTag(header('if-none-match'), etag) ? unchangedHeaders(etag) : undefined;
  };
}

/** As {@link unchangedFeatures}, of deltas. */
export function unchangedDelta(tokens: TokenLookup, snapshot: Snapshot): NotModifiedCheck {
  return (header) => {
    const known = revisionIn(header('if-none-match'));
    const query = knownQuery(tokens, header, () => false);
    if (known === undefined || query === undefined) return undefined;
    // Whether what has changed since concerns the query is for the route to find out.
    return known === snapshot.revision(query.environment) ? unchangedHeaders(deltaTag(known)) : undefined;
  };
}

/** What an SDK asks for that has no filters; undefined when that is not known at once, or is to be refused. */
function knownQuery(
  tokens: TokenLookup,
  header: Header,
  inlined: (apart: boolean) => boolean,
): FeatureQuery | undefined {
  const secret = bearerToken(header('authorization'));
  const token = secret === undefined ? undefined : tokens.peek(secret);
  if (token?.type !== 'backend' && token?.type !== 'client') return undefined;
  return queryFor(callerOf(token, 'backend'), {}, inlined(takesSegments(header('unleash-client-spec'))));
}
