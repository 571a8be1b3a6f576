import type { OwnFields, SignalAuthentication, SignalSourceName } from '@yardarm/contract';
import { openedIn } from '../../storage/sealed-text.ts';
import type { Db } from '../../storage/tx.ts';
import { rulesOf, whenDisabledOf } from './store.ts';

/** A token as the guard needs it. */
export interface TokenAccess {
  readonly id: number;
  readonly authentication: SignalAuthentication;
  readonly header: string | null;
  /** The secret that signs bodies; empty for other authentications. */
  readonly signingSecret: string;
}

/** An endpoint with its tokens, as the guard needs it. */
export interface EndpointAccess {
  readonly endpointId: number;
  readonly name: string;
  readonly enabled: boolean;
  readonly source: SignalSourceName;
  readonly ratePerSecond: number | null;
  readonly burst: number | null;
  readonly maxBodyBytes: number | null;
  readonly maxElements: number | null;
  readonly fields: OwnFields | null;
  readonly dropped: readonly string[];
  readonly enabledUntil: number | null;
  readonly whenDisabled: 'refuse' | 'keep';
  readonly byHash: ReadonlyMap<string, TokenAccess>;
  readonly signing: readonly TokenAccess[];
  /** The headers in which its tokens are sent. */
  readonly headers: readonly string[];
}

/** Returns the endpoint of a name with its tokens. */
export async function findEndpointAccess(db: Db, name: string): Promise<EndpointAccess | undefined> {
  const rows = await db
    .selectFrom('signal_endpoints as e')
    .leftJoin('signal_endpoint_tokens as t', 't.endpoint_id', 'e.id')
    .select(['e.id as endpoint_id', 'e.name', 'e.enabled', 'e.source', 'e.rate_per_second', 'e.burst'])
    .select([
      'e.max_body_bytes',
      'e.max_elements',
      'e.when_disabled',
      'e.fields',
      'e.dropped',
      'e.enabled_until',
      't.id',
      't.secret_hash',
      't.authentication',
      't.header',
      't.signing_secret',
    ])
    .where('e.name', '=', name)
    .orderBy('t.id')
    .execute();
  const [endpoint] = rows;
  if (endpoint === undefined) return undefined;
  const tokens = rows.flatMap((row) => {
    if (row.id === null) return [];
    const signingSecret = row.signing_secret === '' ? '' : openedIn(db, `${row.signing_secret}`, 'A signing secret');
    const authentication = row.authentication as SignalAuthentication;
    return [{ id: row.id, authentication, header: row.header, signingSecret, hash: `${row.secret_hash}` }];
  });
  return {
    endpointId: endpoint.endpoint_id,
    name: endpoint.name,
    enabled: endpoint.enabled === 1,
    source: endpoint.source as SignalSourceName,
    ratePerSecond: endpoint.rate_per_second,
    burst: endpoint.burst,
    maxBodyBytes: endpoint.max_body_bytes,
    maxElements: endpoint.max_elements,
    whenDisabled: whenDisabledOf(endpoint),
    ...rulesOf(endpoint, endpoint.endpoint_id),
    enabledUntil: endpoint.enabled_until,
    byHash: new Map(tokens.map((token) => [token.hash, token])),
    // A secret lost with its UNLEASH_SECRET is empty, and anybody can sign with an empty key.
    signing: tokens.filter(({ signingSecret }) => signingSecret !== ''),
    headers: [...new Set(tokens.flatMap(({ header }) => header ?? []))],
  };
}
