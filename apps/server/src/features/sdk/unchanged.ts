import { bearerToken } from '../../http/bearer.ts';
import type { Unchanged } from '../../http/unchanged.ts';
import type { TokenLookup } from '../tokens/index.ts';
import { segmentsTaken } from './client-spec.ts';
import { queryFor } from './feature-query.ts';
import { callerOf } from './guard.ts';
import { namesTag } from './if-none-match.ts';
import type { ReadyAnswers } from './ready-answers.ts';

/**
 * Tells SDKs of whom all is known in memory that their flags have not changed; of whoever else, or asks for something
 * else, it says nothing.
 */
export function unchangedFeatures(tokens: TokenLookup, answers: ReadyAnswers): Unchanged {
  return (header) => {
    const secret = bearerToken(header('authorization'));
    const token = secret === undefined ? undefined : tokens.peek(secret);
    if (token?.type !== 'backend' && token?.type !== 'client') return undefined;
    const separate = segmentsTaken(header('unleash-client-spec'));
    if (separate === undefined) return undefined;
    const etag = answers.etag(queryFor(callerOf(token, 'backend'), {}, !separate));
    return namesTag(header('if-none-match'), etag) ? { etag, vary: 'accept-encoding' } : undefined;
  };
}
