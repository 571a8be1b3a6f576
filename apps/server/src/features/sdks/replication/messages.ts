import { type ReplicaState, type ReplicaUpdate, replicationProtocol } from '@yardarm/contract';
import type { TokenWithHash } from '#features/people/api-tokens/index.ts';
import type { Change, ChangeLog, Snapshot, SnapshotFlag } from '#features/sdks/sdk/index.ts';
import { pagesYielding } from '#kernel/event-loop.ts';
import type { ReplicaScope } from './scope.ts';

/** The rest of a replica's state, beside flags and segments. */
export interface BesideFlags {
  readonly tokens: readonly TokenWithHash[];
  readonly frontendApiOrigins: readonly string[];
}

/** A message without its flags, which are many. */
type WithoutFlags<T extends { readonly flags: unknown }> = Omit<T, 'flags'>;

/**
 * Returns the JSON of a message: the flags are written over several turns of the event loop. All that it is made of is
 * read before the first turn ends, so that it is of one position in the log.
 */
async function toJson(message: object, flags: readonly SnapshotFlag[], scope: ReplicaScope): Promise<Buffer> {
  const head = JSON.stringify(message).slice(0, -1);
  const texts: string[] = [];
  const write = ({ feature, tags }: SnapshotFlag) =>
    JSON.stringify({ feature: scope.feature(feature), tags: [...tags] });
  for await (const page of pagesYielding(flags, write)) texts.push(page.join(','));
  return Buffer.from(`${head},"flags":[${texts.join(',')}]}`);
}

/** Returns the JSON of everything that is in a scope. */
export function stateMessage(
  snapshot: Snapshot,
  scope: ReplicaScope,
  { tokens, frontendApiOrigins }: BesideFlags,
  { id, version }: { readonly id: number; readonly version: string },
): Promise<Buffer> {
  const flags = flagsIn(snapshot, scope);
  const { changes, revisions, epoch } = snapshot;
  const message: WithoutFlags<ReplicaState> = {
    protocol: replicationProtocol,
    version,
    epoch,
    id,
    revisions: scope.advances(revisions.newest),
    segments: segmentsOf(snapshot, flags),
    log: logOf(changes, scope),
    tokens: tokensIn(tokens, scope),
    settings: { frontendApiOrigins: [...frontendApiOrigins] },
  };
  return toJson(message, flags, scope);
}

/** Returns the JSON of the changes in a scope. */
export function updateMessage(
  snapshot: Snapshot,
  scope: ReplicaScope,
  all: readonly (readonly Change[])[],
  rest: Pick<ReplicaUpdate, 'id' | 'endStreams'> & { readonly beside: Partial<BesideFlags> },
): Promise<Buffer> {
  const { id, endStreams, beside } = rest;
  const batches = scope.batches(all);
  const changes = batches.flat();
  const isAny = changes.some((change) => change.flags === null);
  const names = new Set(changes.flatMap((change) => [...(change.flags?.keys() ?? [])]));
  const flags = flagsIn(snapshot, scope).filter(({ feature }) => isAny || names.has(feature.name));
  const message: WithoutFlags<ReplicaUpdate> = {
    id,
    revisions: scope.advances(snapshot.revisions.newest),
    batches: batches.map((batch) => batch.map(toSent)),
    names: isAny ? null : [...names],
    segments: segmentsOf(snapshot, changesSegments(changes) ? flagsIn(snapshot, scope) : flags),
    ...(beside.tokens === undefined ? {} : { tokens: tokensIn(beside.tokens, scope) }),
    ...(beside.frontendApiOrigins === undefined
      ? {}
      : { settings: { frontendApiOrigins: [...beside.frontendApiOrigins] } }),
    ...(endStreams === undefined ? {} : { endStreams }),
  };
  return toJson(message, flags, scope);
}

function changesSegments(changes: readonly Change[]): boolean {
  return changes.some(({ segment }) => segment !== null && !segment.isDeleted);
}

function flagsIn(snapshot: Snapshot, scope: ReplicaScope): SnapshotFlag[] {
  return [...snapshot.all.values()].filter(({ feature }) => scope.hasProject(feature.project));
}

function segmentsOf({ segments }: Snapshot, flags: readonly SnapshotFlag[]): ReplicaState['segments'] {
  const ids = new Set(flags.flatMap((flag) => flag.segments));
  return [...ids].flatMap((id) => segments.get(id)?.stored ?? []);
}

function tokensIn(tokens: readonly TokenWithHash[], scope: ReplicaScope): ReplicaState['tokens'] {
  return tokens.flatMap(({ token, secretHash }) => {
    if (!scope.serves(token)) return [];
    const { id, name, type, environment, projects, createdAt, expiresAt } = token;
    return [{ id, name, type, environment, projects: [...projects], createdAt, expiresAt, secretHash }];
  });
}

function logOf(changes: ChangeLog, scope: ReplicaScope): ReplicaState['log'] {
  const { start, floor, revisionsAtStart } = changes;
  return {
    start,
    floor,
    revisionsAtStart: scope.advances(revisionsAtStart.newest),
    batches: scope.batches(changes.batchesAfter(floor) ?? []).map((batch) => batch.map(toSent)),
  };
}

function toSent({ flags, segment, ...rest }: Change): ReplicaUpdate['batches'][number][number] {
  return {
    ...rest,
    segment: segment === null ? null : { ...segment },
    flags: flags && [...flags].map(([name, projects]) => [name, [...projects]]),
  };
}
