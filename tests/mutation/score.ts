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
export const leastMutants = 10;

/** Whether the tests let too many mutants live. */
export function isTooLow({ score, mutants }: Counts): boolean {
  return mutants >= leastMutants && score < leastScore;
}

/** Reads the mutants that were tested so far from the folder of Stryker's event recorder. */
export function testedIn(folder: string): TestedMutant[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('-onMutantTested.json'))
    .flatMap((name) => parsed(join(folder, name)));
}

/** A file that was being written when Stryker was stopped holds half a mutant. */
function parsed(file: string): TestedMutant[] {
  try {
    return [JSON.parse(readFileSync(file, 'utf8'))];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
