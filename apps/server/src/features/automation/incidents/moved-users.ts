import type { EventType } from '@yardarm/contract';
import type { EvaluationContext } from '@yardarm/evaluation';
import { z } from 'zod';
import { asSent, type CompareOptions, countChanges } from '#features/releases/milestone-effects/index.ts';
import type { RecentContexts } from '#features/sdks/recent-contexts/index.ts';
import { FeatureQuery, type FlagSetCache, type ReplacedFlags, type SnapshotFlag } from '#features/sdks/sdk/index.ts';
import { WriteBehind } from '#jobs/write-behind.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Database } from '#storage/database.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { insertMoved, type MovedRow } from './moved-store.ts';

export interface MovedOptions extends CompareOptions {
  readonly database: Pick<Database, 'writeQuietly'>;
  readonly flagSets: FlagSetCache;
  readonly recentContexts: RecentContexts;
  readonly onError: (error: unknown) => void;
}

/** A flag that automation changed in an environment. */
interface Moved {
  /** The event that changed it last. */
  readonly eventId: number;
  readonly project: string;
  readonly environment: string;
  /** The flag before automation changed it first. */
  readonly before: SnapshotFlag;
  readonly after: SnapshotFlag;
}

const author: Author = { actor: systemActor, cause: {} };
/** The delay before changes are counted: those of a storm are counted together. */
const delayMs = 250;
/** The evaluations for one batch of changes: less than half a second of work, in slices. */
const contextsPerBatch = 20_000;
const fewestContexts = 20;
/** The changes that wait to be counted, and the flags whose state before automation is known. */
const maxFlags = 5000;

/** Returns how many contexts are compared for each flag when so many flags changed at once. */
export function contextsPerFlag(flags: number): number {
  return Math.max(fewestContexts, Math.floor(contextsPerBatch / flags));
}

/**
 * Counts, for each flag that automation holds or switches off, how many of the contexts seen lately get another answer
 * than before. It compares the flags in memory before and after the change, since the flag as it was is known only
 * then. The counts are those of the process that knows most contexts.
 */
export class MovedUsers {
  readonly #options: MovedOptions;
  readonly #writes: WriteBehind<Map<string, Moved>>;
  #waiting = new Map<string, Moved>();
  /** The flags before automation changed them, until they are given back, by {@link keyOf}. */
  readonly #before = new Map<string, SnapshotFlag>();

  constructor(options: MovedOptions) {
    this.#options = options;
    this.#writes = new WriteBehind({
      delayMs,
      take: () => this.#take(),
      write: (batch) => this.#count(batch),
      giveBack: (batch) => {
        this.#waiting = new Map([...batch, ...this.#waiting]);
      },
      onError: options.onError,
    });
  }

  /** Notes the changes by automation, to be counted soon. */
  note({ events, before, after }: ReplacedFlags): void {
    for (const event of events) {
      const { id: eventId, feature_name: name, environment, project } = event;
      const change = changeOf(event);
      if (change === undefined || name === null || environment === null || project === null) continue;
      const key = keyOf(name, environment);
      const [was, is] = [this.#before.get(key) ?? before.get(name), after.get(name)];
      if (change === 'ends' || was === undefined || is === undefined) {
        this.#before.delete(key);
        continue;
      }
      if (this.#before.size < maxFlags) this.#before.set(key, was);
      if (this.#waiting.size < maxFlags)
        this.#waiting.set(key, { eventId, project, environment, before: was, after: is });
    }
    if (this.#waiting.size > 0) this.#writes.wake();
  }

  /** Resolves when the changes so far are counted and stored, or failed to be stored. */
  settled(): Promise<void> {
    return this.#writes.flush();
  }

  stop(): Promise<void> {
    return this.#writes.stop();
  }

  #take(): Map<string, Moved> | undefined {
    if (this.#waiting.size === 0) return undefined;
    const batch = this.#waiting;
    this.#waiting = new Map();
    return batch;
  }

  async #count(batch: ReadonlyMap<string, Moved>): Promise<void> {
    const rows: MovedRow[] = [];
    const known = new Map<string, readonly EvaluationContext[]>();
    for (const { eventId, project, environment, before, after } of batch.values()) {
      const contexts = this.#contexts(known, environment, project).slice(0, contextsPerFlag(batch.size));
      if (contexts.length === 0) continue;
      const flagSet = await this.#options.flagSets.of(new FeatureQuery({ environment, projects: ['*'] }, {}, false));
      const compared = {
        environment,
        flagSet,
        before: before.compiled(environment),
        after: after.compiled(environment),
      };
      const { gained, lost, changedVariant } = (await countChanges(this.#options, compared, contexts)).counts();
      rows.push({ event_id: eventId, contexts: contexts.length, moved: gained + lost + changedVariant });
    }
    if (rows.length > 0) await this.#options.database.writeQuietly('incidents', author, (tx) => insertMoved(tx, rows));
  }

  /** Returns the contexts seen in an environment with tokens of a project, newest first, read once for a batch. */
  #contexts(known: Map<string, readonly EvaluationContext[]>, environment: string, project: string) {
    const key = keyOf(project, environment);
    const { recentContexts } = this.#options;
    const contexts =
      known.get(key) ??
      recentContexts.of(environment, project)?.contexts.map((context) => asSent(context, this.#options)) ??
      [];
    known.set(key, contexts);
    return contexts;
  }
}

function keyOf(name: string, environment: string): string {
  return `${environment}/${name}`;
}

const stateColumn = jsonColumn(
  'events.data',
  z.object({ lease: z.object({ heldBy: z.object({ kind: z.string() }) }).nullish() }),
);

/** Returns whether automation changed a flag, or its change ended; undefined for other events. */
function changeOf({ id, type, data, created_by_user_id: userId }: EventRow): 'begins' | 'ends' | undefined {
  const isServer = userId === systemActor.userId;
  switch (type as EventType) {
    case 'feature-effective-state-changed': {
      const lease = data === null ? undefined : stateColumn.parse(data, id).lease;
      if (lease == null) return 'ends';
      return lease.heldBy.kind === 'person' ? undefined : 'begins';
    }
    case 'feature-environment-disabled':
      return isServer ? 'begins' : undefined;
    case 'feature-environment-enabled':
      return 'ends';
    default:
      return undefined;
  }
}
