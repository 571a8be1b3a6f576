import type { DefaultStrategyAnswer, DefaultStrategyBody } from '@yardarm/contract';
import type { Db, Tx } from '#storage/tx.ts';

/**
 * The operations on flags that projects need. The flags feature implements this interface, because it imports projects
 * and a circular import is not allowed.
 */
export interface ProjectFlags {
  /** Returns statistics by project id; only of `project` when given. Projects without active flags are absent. */
  statistics(db: Db, now: number, project?: string): Promise<ReadonlyMap<string, FlagStatistics>>;
  /** Returns the oldest flag that is not archived of each project, by project id. */
  oldest(db: Db, projects: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Counts the flags that were created and archived in each window, and those that went live in the current window. */
  windows(db: Db, project: string, windows: Windows): Promise<FlagWindows>;
  /** Counts flags by stage, with the average time that flags stay in a stage. */
  lifecycle(db: Db, project: string, since: number): Promise<LifecycleSummary>;
  /** Returns the lead times of the flags that were evaluated in production and are not archived, ordered by name. */
  leadTimes(db: Db, project: string): Promise<readonly LeadTime[]>;
  /** Adds the environment to all flags of the project, switched off. */
  connect(tx: Tx, project: string, environment: string): Promise<void>;
  /** Removes the environment from all flags of the project. */
  disconnect(tx: Tx, project: string, environment: string): Promise<void>;
  /** Returns the default strategies of a project in the API's format, by environment. */
  defaultStrategies(db: Db, project: string): Promise<ReadonlyMap<string, DefaultStrategyAnswer>>;
  /** Sets the default strategy of a project in one of its environments. */
  setDefaultStrategy(
    tx: Tx,
    place: { readonly project: string; readonly environment: string },
    input: DefaultStrategyBody,
  ): Promise<void>;
  /** Deletes the archived flags of the project and records an event for each. */
  deleteArchived(tx: Tx, project: string): Promise<void>;
}

interface StageSummary {
  readonly averageDays: number | null;
  readonly currentFlags: number;
}

/** Number of flags by stage. */
export interface LifecycleSummary {
  readonly initial: StageSummary;
  readonly preLive: StageSummary;
  readonly live: StageSummary;
  readonly completed: StageSummary;
  /** `archivedSince` counts flags archived since the requested time. */
  readonly archived: { readonly currentFlags: number; readonly archivedSince: number };
}

/** Deletes further data of a project after its flags, and records events. Each feature with such data provides one. */
export type DeleteProjectData = (tx: Tx, project: string) => Promise<void>;

/**
 * Sets how many approvals a change in an environment of a project requires. Null turns review off; undefined keeps the
 * number or takes the default of the environment. Provided by change control.
 */
export type SetRequiredApprovals = (
  tx: Tx,
  project: string,
  environment: string,
  requiredApprovals: number | null | undefined,
) => Promise<void>;

/** Returns the names of the reviewed environments of a project. Provided by change control. */
export type ReviewedIn = (db: Db, project: string) => Promise<ReadonlySet<string>>;

/** Start times of two consecutive windows; the current window ends now. */
export interface Windows {
  readonly past: number;
  readonly current: number;
}

/** Numbers of flags by window, including flags that were archived later. */
export interface FlagWindows {
  readonly created: Record<keyof Windows, number>;
  readonly archived: Record<keyof Windows, number>;
  /** Flags first evaluated in production in the current window. */
  readonly live: number;
  /** Sum of the milliseconds from creation to first evaluation in production of the live flags. */
  readonly msToLive: number;
}

export interface LeadTime {
  readonly name: string;
  /** Milliseconds from creation to the first evaluation in production. */
  readonly msToLive: number;
}

/** Statistics of flags that are not archived. */
export interface FlagStatistics {
  readonly active: number;
  readonly stale: number;
  /** Not marked as stale, but older than the expected lifetime of their type. */
  readonly potentiallyStale: number;
  /** Completed, so that they can be removed from the code. */
  readonly completed: number;
  /** Flags that were evaluated in production. */
  readonly live: number;
  /** Sum of the milliseconds from creation to first evaluation in production of the live flags. */
  readonly msToLive: number;
  readonly lastSeenAt: number | null;
  readonly types: readonly { readonly type: string; readonly count: number }[];
}

export const noFlags: FlagStatistics = {
  active: 0,
  stale: 0,
  potentiallyStale: 0,
  completed: 0,
  live: 0,
  msToLive: 0,
  lastSeenAt: null,
  types: [],
};

/** Returns the percentage of flags that are neither stale nor potentially stale; 100 without flags. */
export function healthOf({ active, stale, potentiallyStale }: FlagStatistics): number {
  return active === 0 ? 100 : Math.round(((active - stale - potentiallyStale) / active) * 100);
}

/** Returns the average days from creation to the first evaluation in production; 0 without live flags. */
export function daysToProduction({ live, msToLive }: Pick<FlagStatistics, 'live' | 'msToLive'>): number {
  return live === 0 ? 0 : Math.round((msToLive / live / dayMs) * 10) / 10;
}

const dayMs = 24 * 60 * 60 * 1000;
