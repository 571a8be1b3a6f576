import type { DefaultStrategyAnswer, DefaultStrategyBody } from '@yardarm/contract';
import type { Db, Tx } from '../../storage/tx.ts';

/**
 * What a project must know of its flags and have done to them. The flags provide it: they need projects, so
 * projects cannot need them.
 */
export interface ProjectFlags {
  /** Numbers of the projects that have flags which are not archived; of one project when it is named. */
  statistics(db: Db, now: number, project?: string): Promise<ReadonlyMap<string, FlagStatistics>>;
  /** The flag that was created first, of those that are not archived, of each of the projects. */
  oldest(db: Db, projects: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What happened to flags of the project since `past`, and since `current`, which is later. */
  windows(db: Db, project: string, windows: Windows): Promise<FlagWindows>;
  /** How many flags of the project are in each stage of their life, and how long flags are in it. */
  lifecycle(db: Db, project: string, since: number): Promise<LifecycleSummary>;
  /** The flags that were evaluated in production and are not archived, by name. */
  leadTimes(db: Db, project: string): Promise<readonly LeadTime[]>;
  /** Gives all flags of the project a state in the environment, switched off. */
  connect(tx: Tx, project: string, environment: string): Promise<void>;
  /** Takes the state in the environment from all flags of the project. */
  disconnect(tx: Tx, project: string, environment: string): Promise<void>;
  /** The default strategies of a project, by environment, as they are answered. */
  defaultStrategies(db: Db, project: string): Promise<ReadonlyMap<string, DefaultStrategyAnswer>>;
  /** Sets the default strategy of a project in an environment that it has. */
  setDefaultStrategy(
    tx: Tx,
    place: { readonly project: string; readonly environment: string },
    input: DefaultStrategyBody,
  ): Promise<void>;
  /** Deletes the archived flags of the project, recording each. */
  deleteArchived(tx: Tx, project: string): Promise<void>;
}

interface StageSummary {
  readonly averageDays: number | null;
  readonly currentFlags: number;
}

/** How far the flags of a project have got. */
export interface LifecycleSummary {
  readonly initial: StageSummary;
  readonly preLive: StageSummary;
  readonly live: StageSummary;
  readonly completed: StageSummary;
  /** `archivedSince` counts those archived since a given time. */
  readonly archived: { readonly currentFlags: number; readonly archivedSince: number };
}

/** Deletes what else belongs to a project, recording each, when its flags are gone already. Whoever keeps it provides this. */
export type DeleteOfProject = (tx: Tx, project: string) => Promise<void>;

/**
 * Sets how many must approve changes in an environment of a project, null for nobody and undefined for as many as were set
 * before or the environment asks for. Whoever looks after that provides this.
 */
export type SetReview = (
  tx: Tx,
  project: string,
  environment: string,
  requiredApprovals: number | null | undefined,
) => Promise<void>;

/** The environments of a project in which changes are reviewed. Whoever looks after that provides this. */
export type ReviewedIn = (db: Db, project: string) => Promise<ReadonlySet<string>>;

/** When spans of time begin; the current one goes on. */
export interface Windows {
  readonly past: number;
  readonly current: number;
}

/** Flags that something happened to in a span of time, those included that have been archived since. */
export interface FlagWindows {
  readonly created: Record<keyof Windows, number>;
  readonly archived: Record<keyof Windows, number>;
  /** First evaluated in production in the current span. */
  readonly live: number;
  /** Milliseconds that these took from their creation until then, all together. */
  readonly msToLive: number;
}

export interface LeadTime {
  readonly name: string;
  /** Milliseconds from its creation until it was evaluated in production. */
  readonly msToLive: number;
}

/** Numbers of flags that are not archived. */
export interface FlagStatistics {
  readonly active: number;
  readonly stale: number;
  /** Not marked as stale, but older than flags of their type are expected to become. */
  readonly potentiallyStale: number;
  /** Completed, and to be taken out of the code. */
  readonly completed: number;
  /** Evaluated in production. */
  readonly live: number;
  /** Milliseconds that these took from their creation until then, all together. */
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

/** Share of flags that are neither stale nor look so, in whole percent; 100 without flags. */
export function healthOf({ active, stale, potentiallyStale }: FlagStatistics): number {
  return active === 0 ? 100 : Math.round(((active - stale - potentiallyStale) / active) * 100);
}

/** Days from creation until use in production, on the average of the flags that are there; 0 without any. */
export function daysToProduction({ live, msToLive }: Pick<FlagStatistics, 'live' | 'msToLive'>): number {
  return live === 0 ? 0 : Math.round((msToLive / live / dayMs) * 10) / 10;
}

const dayMs = 24 * 60 * 60 * 1000;
