import { type TokenLookup, tokenKinds } from '#features/people/api-tokens/index.ts';
import { bearerToken } from '#http/bearer.ts';
import { deltaEtag, matchesEtag, notModifiedHeaders, parsePosition } from '#http/if-none-match.ts';
import type { NotModifiedCheck } from '#http/not-modified.ts';
import type { AnswerCache } from './answer-cache.ts';
import { takesSegments } from './client-spec.ts';
import { type FeatureQuery, queryFor } from './feature-query.ts';
import { callerOf } from './guard.ts';
import type { Snapshot } from './snapshot.ts';

type Header = Parameters<NotModifiedCheck>[0];

/**
 * Returns a check that answers 304 before the route runs: for SDKs whose token is in memory, that send no filters, and
 * whose ETag is current. All other requests go to the route.
 */
export function featuresNotModified(tokens: TokenLookup, answers: AnswerCache): NotModifiedCheck {
  return (header) => {
    const query = unfilteredQuery(tokens, header, (takesSegments) => !takesSegments);
    if (query === undefined) return undefined;
    const etag = answers.etag(query);
    return matchesEtag(header('if-none-match'), etag) ? notModifiedHeaders(etag) : undefined;
  };
}

/** Returns the check of {@link featuresNotModified} for deltas. */
export function deltaNotModified(tokens: TokenLookup, snapshot: Snapshot): NotModifiedCheck {
  return (header) => {
    const known = parsePosition(header('if-none-match'));
    const query = unfilteredQuery(tokens, header, () => false);
    if (known === undefined || query === undefined) return undefined;
    // When the revision is newer, the route finds out whether the changes affect this query.
    const isCurrent = known.epoch === snapshot.epoch && known.id === snapshot.revision(query.environment);
    return isCurrent ? notModifiedHeaders(deltaEtag(known)) : undefined;
  };
}

/** Returns the query of an SDK without filters; undefined when its token is not in memory or is of another kind. */
function unfilteredQuery(
  tokens: TokenLookup,
  header: Header,
  inlineSegments: (takesSegments: boolean) => boolean,
): FeatureQuery | undefined {
  const secret = bearerToken(header('authorization'));
  const token = secret === undefined ? undefined : tokens.peek(secret);
  if (token === undefined || tokenKinds[token.type].sdk !== 'backend') return undefined;
  return queryFor(callerOf(token, 'backend'), {}, inlineSegments(takesSegments(header('unleash-client-spec'))));
}
