import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A mutant and the outcome of its tests; the fields of Stryker that are used here. */
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

/** Counts mutants, without those that cannot run (syntax, load). The score is 100 without mutants. */
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
/** A change with fewer mutants is not judged: a single mutant that no test can kill would decide. */
const leastMutants = 10;

/**
 * Returns whether too many mutants survive. `untested` mutants of a stopped run count as killed: lack of time does not
 * fail the check, but if enough mutants have survived, the check fails whatever the others would do.
 */
export function isTooLow({ killed, timeout, mutants }: Counts, untested = 0): boolean {
  const all = mutants + untested;
  return all >= leastMutants && (killed + timeout + untested) / all < leastScore / 100;
}

/** The output of Stryker's event recorder so far. */
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

/** Returns the content of a file in a list, or an empty list for a file that was only half written. */
function parsed<T>(file: string): T[] {
  try {
    return [JSON.parse(readFileSync(file, 'utf8'))];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
