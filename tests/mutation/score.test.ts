import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countsOf, isTooLow, recordedIn, type TestedMutant } from './score.ts';

const mutant = (status: string): TestedMutant => ({
  fileName: 'a.ts',
  location: { start: { line: 1, column: 1 } },
  mutatorName: 'BooleanLiteral',
  replacement: 'true',
  status,
});
const mutants = (...statuses: [string, number][]) =>
  statuses.flatMap(([status, count]) => Array.from({ length: count }, () => mutant(status)));

it('scores the share of mutants that tests detect, without those that cannot run', () => {
  const tested = mutants(['Killed', 5], ['Timeout', 1], ['Survived', 2], ['NoCoverage', 1], ['RuntimeError', 7]);
  expect(countsOf(tested)).toEqual({ score: 66.67, mutants: 9, killed: 5, timeout: 1, survived: 2, noCoverage: 1 });
  expect(countsOf([]).score).toBe(100);
});

it('refuses less than 85 % of ten mutants or more', () => {
  const isRefused = (killed: number, survived: number, untested = 0) =>
    isTooLow(countsOf(mutants(['Killed', killed], ['Survived', survived])), untested);
  expect(isRefused(84, 16)).toBe(true);
  expect(isRefused(85, 15)).toBe(false);
  expect(isRefused(8, 2)).toBe(true);
  expect(isRefused(7, 2)).toBe(false);
});

it('refuses a run that was stopped only when the mutants it left could not make up for those that survived', () => {
  const stopped = countsOf(mutants(['Killed', 1], ['Survived', 15]));
  expect(isTooLow(stopped, 84)).toBe(false);
  expect(isTooLow(stopped, 83)).toBe(true);
});

it('reads what Stryker recorded until it was stopped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'yardarm-recorded-'));
  expect(recordedIn(join(folder, 'none'))).toEqual({ tested: [], untested: 0 });
  writeFileSync(join(folder, '00001-onMutationTestingPlanReady.json'), '{"mutantPlans":[{},{},{}]}');
  writeFileSync(join(folder, '00002-onMutantTested.json'), JSON.stringify(mutant('Killed')));
  writeFileSync(join(folder, '00003-onMutantTested.json'), '{"status":"Surv');
  expect(recordedIn(folder)).toEqual({ tested: [mutant('Killed')], untested: 2 });
  rmSync(folder, { recursive: true });
});
