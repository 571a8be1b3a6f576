import { initialFlag, type ReplicaState, type ReplicaUpdate } from '@yardarm/contract';
import type { ClientFeature } from '#features/flags/reading/index.ts';
import { type Change, ChangeLog, Revisions, Snapshot, type StoredFlag } from '#features/sdks/sdk/index.ts';
import type { ReadPosition } from '#http/if-none-match.ts';
import type { Streams } from '#http/streams.ts';
import { stateMessage } from './messages.ts';
import type { ReplicaTokens } from './replica-tokens.ts';
import { ReplicaScope } from './scope.ts';

const everything = new ReplicaScope({ projects: ['*'], environment: '*' });

/** Everything that a replica serves, in memory. It is empty until the first state is applied. */
export class ReplicaMemory {
  readonly snapshot = new Snapshot();
  readonly tokens: ReplicaTokens;
  #origins: readonly string[] = [];
  #id: number | undefined;
  /** Called after each message. */
  readonly #listeners = new Set<() => void>();

  constructor(tokens: ReplicaTokens) {
    this.tokens = tokens;
  }

  /** The position in the log of the upstream; undefined while there is no state. */
  get position(): { readonly id: number; readonly epoch: string } | undefined {
    return this.#id === undefined ? undefined : { id: this.#id, epoch: this.snapshot.epoch };
  }

  /** The origins whose pages may use the frontend API. */
  get frontendApiOrigins(): readonly string[] {
    return this.#origins;
  }

  /** Resolves when the position is at least that one, in any epoch, or after `ms`. */
  async reached({ id }: Pick<ReadPosition, 'id'>, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = () => {
      if (this.#id !== undefined && this.#id >= id) resolve();
    };
    const timer = setTimeout(resolve, ms);
    this.#listeners.add(check);
    check();
    await promise;
    clearTimeout(timer);
    this.#listeners.delete(check);
  }

  /** Returns the JSON of everything, as an upstream of this `version` would send it; undefined without a state. */
  async toJson(version: string): Promise<Buffer | undefined> {
    const id = this.#id;
    if (id === undefined) return undefined;
    const rest = { tokens: this.tokens.all, frontendApiOrigins: this.#origins };
    return stateMessage(this.snapshot, everything, rest, { id, version });
  }

  /** Calls `listener` after each message. */
  onChanged(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Replaces everything. */
  async load(state: ReplicaState, streams: Streams): Promise<void> {
    const { epoch, id, flags, segments, log, tokens, settings } = state;
    const made = await this.snapshot.toFlags(flags.map(toStored));
    const changes = ChangeLog.restored({
      start: log.start,
      floor: log.floor,
      revisionsAtStart: Revisions.after(log.revisionsAtStart),
      batches: log.batches.map((batch) => batch.map(toChange)),
    });
    const isOtherLog = this.#id !== undefined && epoch !== this.snapshot.epoch;
    this.tokens.replace(tokens);
    this.#origins = settings.frontendApiOrigins;
    this.#id = id;
    const revisions = Revisions.after(state.revisions);
    this.snapshot.load({ epoch, revisions, changes, flags: made, segments });
    if (isOtherLog) streams.sendAllAnew();
    streams.recheck();
    for (const check of this.#listeners) check();
  }

  /** Applies what has changed. Tokens first: a stream whose token was deleted must not tell of the change. */
  async apply(update: ReplicaUpdate, streams: Streams): Promise<void> {
    const { id, batches, revisions, names, flags, segments, tokens, settings, endStreams } = update;
    const made = await this.snapshot.toFlags(flags.map(toStored));
    if (tokens !== undefined) {
      this.tokens.replace(tokens);
      streams.recheck();
    }
    if (settings !== undefined) this.#origins = settings.frontendApiOrigins;
    this.#id = id;
    const changes = batches.map((batch) => batch.map(toChange));
    this.snapshot.apply({ batches: changes, revisions, names: names ?? undefined, flags: made, segments });
    if (endStreams === true) streams.endAll();
    for (const check of this.#listeners) check();
  }
}

/** An earlier version of the upstream does not send the fields that it does not have. */
function toStored({ feature, tags }: ReplicaState['flags'][number]): StoredFlag {
  return { feature: { ...initialFlag, ...feature } as ClientFeature, tags };
}

function toChange({ flags, ...rest }: ReplicaUpdate['batches'][number][number]): Change {
  return { ...rest, flags: flags && new Map(flags.map(([name, projects]) => [name, new Set(projects)])) };
}
