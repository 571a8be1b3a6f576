import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A mutant and how its tests ended, of which Stryker says more. */
export interface TestedMutant {
  readonly fileName: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: string;
}

/** Counts of mutants by how their tests ended. `score` is the share of detected ones in percent, two decimals. */
export interface Counts {
  readonly score: number;
  readonly mutants: number;
  readonly killed: number;
  readonly timeout: number;
  readonly survived: number;
  readonly noCoverage: number;
}

/** Counts mutants. Those that cannot run (syntax, load) say nothing about tests and are left out. 100 when there are none. */
export function countsOf(tested: readonly TestedMutant[]): Counts {
  const count = (status: string) => tested.filter((mutant) => mutant.status === status).length;
  const [killed, timeout, survived, noCoverage] = [
    count('Killed'),
    count('Timeout'),
    count('Survived'),
    count('NoCoverage'),
  ];
  const mutants = killed + timeout + survived + noCoverage;
  const score = mutants === 0 ? 100 : Math.round(((killed + timeout) / mutants) * 10_000) / 100;
  return { score, mutants, killed, timeout, survived, noCoverage };
}

/** Score in percent that the code of a room and changes to it must reach. */
export const leastScore = 85;
/** A change with fewer mutants is not judged: one that cannot be killed would decide. */
const leastMutants = 10;

/**
 * Whether the tests let too many mutants live. `untested` mutants, of a run that was stopped, count as killed: want of time
 * fails nothing, and what survived already fails when the rest cannot make up for it.
 */
export function isTooLow({ killed, timeout, mutants }: Counts, untested = 0): boolean {
  const all = mutants + untested;
  return all >= leastMutants && (killed + timeout + untested) / all < leastScore / 100;
}

/** What Stryker's event recorder has written so far. */
export interface Recorded {
  readonly tested: readonly TestedMutant[];
  /** Mutants that have not been tested yet. */
  readonly untested: number;
}

/** Reads the folder of Stryker's event recorder, also when Stryker was stopped while it wrote. */
export function recordedIn(folder: string): Recorded {
  const read = <T>(event: string): T[] =>
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter((name) => name.endsWith(`-${event}.json`))
      .flatMap((name) => parsed<T>(join(folder, name)));
  const tested = read<TestedMutant>('onMutantTested');
  const [plan] = read<{ readonly mutantPlans: readonly unknown[] }>('onMutationTestingPlanReady');
  return { tested, untested: Math.max(0, (plan?.mutantPlans.length ?? 0) - tested.length) };
}

/** Returns nothing for a file that was only half written. */
function parsed<T>(file: string): T[] {
  try {
    return [JSON.parse(readFileSync(file, 'utf8'))];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
