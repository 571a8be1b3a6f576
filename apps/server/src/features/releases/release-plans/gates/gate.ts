import type { InstantQuery } from '#features/metrics/external-metrics/index.ts';
import type { ReadRecent } from '#features/metrics/impact-metrics/index.ts';
import type { Approval, TransitionCondition } from '#features/releases/release-templates/index.ts';
import type { Db } from '#storage/tx.ts';

/** The data of an active milestone that gates read. */
export interface MilestoneRun {
  readonly featureName: string;
  readonly environment: string;
  readonly condition: TransitionCondition;
  /** The time at the milestone in milliseconds, without the time while the plan was paused or the flag off. */
  readonly elapsedMs: number;
  /** When the milestone started, or started anew after a hold, in milliseconds UTC. */
  readonly startedAt: number;
  readonly approval: Approval | undefined;
}

/** A gate that opens at a known time. */
export interface TimedGate {
  /** Returns the first time from `from` on at which the gate is open, in milliseconds UTC. */
  opensAt(run: MilestoneRun, from: number): number;
  /** Says why the gate is closed, `waitMs` before it opens. */
  describe(run: MilestoneRun, waitMs: number): string;
}

/** A gate that depends on something else than time, such as an approval. */
export interface CheckedGate {
  /** Looks at the gate at `now`, and reads metrics with `read`. Returns undefined without such a gate. */
  look(db: Db, run: MilestoneRun, now: number, read: ReadRecent): Promise<Look | undefined>;
}

export interface Look {
  readonly isOpen: boolean;
  /** A sentence about the gate, with the value that opens it or keeps it closed. */
  readonly text: string;
  /** Set while the Prometheus server has not answered: the queries that have not been stored yet. */
  readonly pending?: readonly InstantQuery[] | undefined;
}

export type Gate = TimedGate | CheckedGate;
