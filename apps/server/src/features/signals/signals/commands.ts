import type { OwnFields, SignalSourceName } from '@yardarm/contract';
import { checkFilters, type Filters } from '#features/platform/payload-filters/index.ts';
import { checkOwnFields, checkRedactedPaths } from '#features/signals/signal-sources/index.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { requireFuture } from '#kernel/future.ts';
import { limitReached } from '#kernel/limits.ts';
import type { Db, Tx } from '#storage/tx.ts';
import {
  countEndpoints,
  deleteAdvice,
  deleteEndpointRow,
  endpointEventData,
  findEndpointNamed,
  insertEndpoint,
  requireEndpoint,
  type SignalEndpoint,
  type SignalLimits,
  updateEndpointRow,
} from './endpoints/index.ts';
import { changesExpectation, type OnStored, restartExpectation, silenceJob } from './silence/index.ts';

export interface EndpointInput {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | undefined;
  readonly source?: SignalSourceName | undefined;
  readonly oneSender?: boolean | undefined;
  readonly ratePerSecond?: number | null | undefined;
  readonly burst?: number | null | undefined;
  readonly maxBodyBytes?: number | null | undefined;
  readonly maxElements?: number | null | undefined;
  readonly fields?: OwnFields | null | undefined;
  readonly dropped?: readonly string[] | undefined;
  readonly hashed?: readonly string[] | undefined;
  readonly retentionDays?: number | null | undefined;
  readonly enabledUntil?: number | null | undefined;
  readonly expectedMinutes?: number | null | undefined;
  readonly expectedFilters?: Filters | undefined;
  readonly whenDisabled?: SignalEndpoint['whenDisabled'] | undefined;
}

/** Creates an endpoint, enabled by default. Rejects with 400 over the limit, 409 when the name is taken. */
export async function createEndpoint(tx: Tx, limits: SignalLimits, input: EndpointInput): Promise<SignalEndpoint> {
  await requireFreeName(tx.db, input.name);
  if ((await countEndpoints(tx.db)) >= limits.endpoints)
    throw limitReached(limits.endpoints, 'signal endpoints', deleteAdvice);
  const wanted = {
    name: input.name,
    description: input.description ?? null,
    enabled: input.enabled ?? true,
    source: input.source ?? 'generic',
    oneSender: input.oneSender ?? false,
    ratePerSecond: input.ratePerSecond ?? null,
    burst: input.burst ?? null,
    maxBodyBytes: input.maxBodyBytes ?? null,
    maxElements: input.maxElements ?? null,
    whenDisabled: input.whenDisabled ?? 'refuse',
    fields: input.fields ?? null,
    dropped: input.dropped ?? [],
    hashed: input.hashed ?? [],
    retentionDays: input.retentionDays ?? null,
    enabledUntil: input.enabledUntil ?? null,
    expectedMinutes: input.expectedMinutes ?? null,
    expectedFilters: input.expectedFilters ?? {},
  } as const;
  requireFuture('enabledUntil', wanted.enabledUntil, tx.now);
  checkRules(wanted);
  checkExpectation(wanted, input, limits);
  const endpoint = await insertEndpoint(tx, wanted);
  if (endpoint.expectedMinutes !== null) tx.enqueue(silenceJob);
  tx.record({ type: 'signal-endpoint-created', data: endpointEventData(endpoint) });
  return endpoint;
}

/**
 * Changes the fields that `input` names. Records no event when nothing changes. `onStored` is called when the change
 * ends a silence.
 */
export async function updateEndpoint(
  tx: Tx,
  limits: SignalLimits,
  id: number,
  input: Partial<EndpointInput>,
  onStored: OnStored,
): Promise<SignalEndpoint> {
  const before = await requireEndpoint(tx.db, id);
  const expectedMinutes = input.expectedMinutes === undefined ? before.expectedMinutes : input.expectedMinutes;
  const after: SignalEndpoint = {
    ...before,
    name: input.name ?? before.name,
    description: input.description === undefined ? before.description : input.description,
    enabled: input.enabled ?? before.enabled,
    source: input.source ?? before.source,
    oneSender: input.oneSender ?? before.oneSender,
    ratePerSecond: input.ratePerSecond === undefined ? before.ratePerSecond : input.ratePerSecond,
    burst: input.burst === undefined ? before.burst : input.burst,
    maxBodyBytes: input.maxBodyBytes === undefined ? before.maxBodyBytes : input.maxBodyBytes,
    maxElements: input.maxElements === undefined ? before.maxElements : input.maxElements,
    whenDisabled: input.whenDisabled ?? before.whenDisabled,
    fields: input.fields === undefined ? before.fields : input.fields,
    dropped: input.dropped ?? before.dropped,
    hashed: input.hashed ?? before.hashed,
    retentionDays: input.retentionDays === undefined ? before.retentionDays : input.retentionDays,
    enabledUntil: input.enabledUntil === undefined ? before.enabledUntil : input.enabledUntil,
    expectedMinutes,
    // Nothing is left to filter when no signal is expected any more.
    expectedFilters: input.expectedFilters ?? (expectedMinutes === null ? {} : before.expectedFilters),
  };
  requireFuture('enabledUntil', after.enabledUntil, tx.now, before.enabledUntil);
  checkRules(after);
  checkExpectation(after, input, limits);
  const [preData, data] = [endpointEventData(before), endpointEventData(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return before;
  if (after.name !== before.name) await requireFreeName(tx.db, after.name);
  await updateEndpointRow(tx, after);
  tx.record({ type: 'signal-endpoint-updated', preData, data });
  if (!changesExpectation(before, after)) return after;
  await restartExpectation(tx, before, after, onStored);
  return { ...after, silentSince: null };
}

/** Throws a 400 when a path is invalid, or when paths are set for a source that defines its own. */
function checkRules(endpoint: Pick<SignalEndpoint, 'source' | 'fields' | 'dropped' | 'hashed'>): void {
  checkOwnFields(endpoint);
  checkRedactedPaths('dropped', endpoint.dropped);
  checkRedactedPaths('hashed', endpoint.hashed);
}

/** Throws a 400 when the filters of `input` are invalid, or filter signals of an endpoint that expects none. */
function checkExpectation(
  { expectedMinutes }: Pick<SignalEndpoint, 'expectedMinutes'>,
  { expectedFilters }: Partial<EndpointInput>,
  limits: SignalLimits,
): void {
  if (expectedFilters === undefined) return;
  checkFilters(expectedFilters, limits.expected, 'expectedFilters');
  if (expectedMinutes === null && Object.keys(expectedFilters).length > 0)
    throw badField('expectedFilters', 'must not be given without expectedMinutes: the endpoint expects no signals');
}

/** Deletes an endpoint with its tokens. The signals it received stay. */
export async function deleteEndpoint(tx: Tx, id: number): Promise<void> {
  const endpoint = await requireEndpoint(tx.db, id);
  await deleteEndpointRow(tx, id);
  tx.record({ type: 'signal-endpoint-deleted', preData: endpointEventData(endpoint) });
}

async function requireFreeName(db: Db, name: string): Promise<void> {
  if ((await findEndpointNamed(db, name)) === undefined) return;
  throw new Problem('NameExistsError', `A signal endpoint named ${name} exists already.`, {
    details: [{ message: 'is taken', path: 'name' }],
  });
}
