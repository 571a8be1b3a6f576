import type { TokenLookup } from '#features/people/api-tokens/index.ts';
import { parsePosition } from '#http/if-none-match.ts';
import { type StreamAccess, unknownRevision } from '#http/streams.ts';
import type { ReadScope } from '#kernel/caller.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Returns the revision at which a reader stopped; {@link unknownRevision} when its position is of another epoch of the
 * log, and undefined for a new reader.
 */
export function readerPosition({ epoch }: Snapshot, lastEventId: string | undefined): number | undefined {
  const known = parsePosition(lastEventId);
  return known === undefined || known.epoch === epoch ? known?.id : unknownRevision;
}

/**
 * Returns the access of a stream: it is valid while its token exists with the same environment and projects, and until
 * the token expires.
 */
export async function streamAccess(
  tokens: TokenLookup,
  { tokenId, environment, projects }: ReadScope,
): Promise<StreamAccess> {
  if (tokenId === null) return { key: 0, isUnlimited: true, check: async () => ({}) };
  const known = await tokens.findById(tokenId);
  return {
    key: tokenId,
    expiresAt: known?.token.expiresAt ?? null,
    check: async () => {
      const token = (await tokens.findById(tokenId))?.token;
      return token?.environment === environment && token.projects.join() === projects.join() ? token : undefined;
    },
  };
}
