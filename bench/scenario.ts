import type { Engine, Finding } from './row.ts';

/** The context that a scenario runs in. */
export interface ScenarioContext {
  /** The engine to measure on; undefined for a scenario that needs none. */
  readonly engine: Engine | undefined;
  /** Where PostgreSQL is, when the engine is `postgres`. A secret: it may hold a password. */
  readonly databaseUrl: string | undefined;
  /** True in a run that only checks that the scenario works: its figures mean nothing. */
  readonly smoke: boolean;
  /** How many interleaved rounds to measure; 1 in a smoke run. */
  readonly rounds: number;
  /** An empty directory of its own, removed after the scenario. */
  readonly workDir: string;
  /** Returns how long to measure, in milliseconds: `full`, or a moment in a smoke run. */
  ms(full: number): number;
  /** Returns how many objects to measure with: `full`, or a few in a smoke run. */
  count(full: number): number;
  /** Prints the progress of the scenario. */
  say(text: string): void;
}

/**
 * A measurement. It leaves no process running, and writes only to `workDir` and, on PostgreSQL, to a schema that it
 * drops.
 */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** The engines that the scenario runs on, one after the other; empty for a scenario that uses no database. */
  readonly engines: readonly Engine[];
  /** Takes so long that it is run only when `--only` names it. */
  readonly onlyByName?: true;
  run(context: ScenarioContext): Promise<Finding[]>;
}
