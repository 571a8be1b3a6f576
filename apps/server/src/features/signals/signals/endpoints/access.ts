import type { OwnFields, SignalAuthentication, SignalSourceName } from '@yardarm/contract';
import type { Redaction } from '#features/signals/signal-sources/index.ts';
import { openedIn } from '#storage/sealed-text.ts';
import type { Row } from '#storage/tables.ts';
import type { Db } from '#storage/tx.ts';
import { type EndpointLimits, limitsOf, stricterLimits } from './endpoint.ts';
import { openedHashKey, rulesOf, whenDisabledOf } from './store.ts';

/** A token as the guard needs it. */
export interface TokenAccess {
  readonly id: number;
  /** The name of the sender; null for the unnamed sender. */
  readonly sender: string | null;
  readonly authentication: SignalAuthentication;
  readonly header: string | null;
  /** The secret that signs bodies; empty for other authentications. */
  readonly signingSecret: string;
  /** The limits that apply to the token, including those of its endpoint. */
  readonly limits: EndpointLimits;
  /** The time from which the token is refused; null when it does not expire. */
  readonly enabledUntil: number | null;
}

/** An endpoint with its tokens, as the guard needs it. */
export interface EndpointAccess {
  readonly endpointId: number;
  readonly name: string;
  readonly enabled: boolean;
  readonly source: SignalSourceName;
  /** True when all tokens belong to one sender. */
  readonly oneSender: boolean;
  /** The size limit of signed requests, whose body is read before their token is known. */
  readonly maxBodyBytes: number;
  readonly fields: OwnFields | null;
  readonly redaction: Redaction;
  readonly enabledUntil: number | null;
  readonly whenDisabled: 'refuse' | 'keep';
  readonly byHash: ReadonlyMap<string, TokenAccess>;
  readonly signing: readonly TokenAccess[];
  /** The names of the headers in which tokens of the endpoint are sent. */
  readonly headers: readonly string[];
}

/**
 * Returns the endpoint with a name, and its tokens. `settings` are the limits that apply where the endpoint sets none.
 */
export async function findEndpointAccess(
  db: Db,
  name: string,
  settings: EndpointLimits,
): Promise<EndpointAccess | undefined> {
  const rows = await db
    .selectFrom('signal_endpoints as e')
    .leftJoin('signal_endpoint_tokens as t', 't.endpoint_id', 'e.id')
    .select(['e.id as endpoint_id', 'e.name', 'e.enabled', 'e.source', 'e.rate_per_second', 'e.burst'])
    .select([
      'e.max_body_bytes',
      'e.max_elements',
      'e.when_disabled',
      'e.one_sender',
      'e.fields',
      'e.dropped',
      'e.hashed',
      'e.hash_key',
      'e.enabled_until',
      't.id',
      't.sender',
      't.secret_hash',
      't.authentication',
      't.header',
      't.signing_secret',
      't.rate_per_second as token_rate',
      't.burst as token_burst',
      't.max_body_bytes as token_bytes',
      't.enabled_until as token_until',
    ])
    .where('e.name', '=', name)
    .orderBy('t.id')
    .execute();
  const [endpoint] = rows;
  if (endpoint === undefined) return undefined;
  const source = endpoint.source as SignalSourceName;
  const limits = limitsOf(ownLimitsOf(source, endpoint), settings);
  const { fields, dropped, hashed } = rulesOf(endpoint, endpoint.endpoint_id);
  const tokens = rows.flatMap((row) => {
    if (row.id === null) return [];
    const own = { ratePerSecond: row.token_rate, burst: row.token_burst, maxBodyBytes: row.token_bytes };
    return [
      {
        id: row.id,
        sender: row.sender,
        authentication: row.authentication as SignalAuthentication,
        header: row.header,
        signingSecret: openedIn(db, row.signing_secret ?? '', 'A signing secret') ?? '',
        limits: stricterLimits(limits, own),
        enabledUntil: row.token_until,
        hash: `${row.secret_hash}`,
      },
    ];
  });
  return {
    endpointId: endpoint.endpoint_id,
    name: endpoint.name,
    enabled: endpoint.enabled === 1,
    source,
    oneSender: endpoint.one_sender === 1,
    maxBodyBytes: limits.maxBodyBytes,
    whenDisabled: whenDisabledOf(endpoint),
    fields,
    redaction: { dropped, hashed, hashKey: openedHashKey(db, endpoint.hash_key) },
    enabledUntil: endpoint.enabled_until,
    byHash: new Map(tokens.map((token) => [token.hash, token])),
    // Skip empty secrets, with which anybody could sign. A secret is empty after the UNLEASH_SECRET that encrypts it
    // was lost.
    signing: tokens.filter(({ signingSecret }) => signingSecret !== ''),
    headers: [...new Set(tokens.flatMap(({ header }) => header ?? []))],
  };
}

function ownLimitsOf(
  source: SignalSourceName,
  row: Pick<Row<'signal_endpoints'>, 'rate_per_second' | 'burst' | 'max_body_bytes' | 'max_elements'>,
) {
  return {
    source,
    ratePerSecond: row.rate_per_second,
    burst: row.burst,
    maxBodyBytes: row.max_body_bytes,
    maxElements: row.max_elements,
  };
}
