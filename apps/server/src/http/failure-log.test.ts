import { pino } from 'pino';
import { expect, it } from 'vitest';
import { Problem } from '#kernel/errors.ts';
import { TestClock } from '#testing/clock.ts';
import { FailureLog } from './failure-log.ts';

const outage = new Problem('ServiceUnavailableError', 'away', { cause: new Error('ECONNREFUSED') });
const bug = new Problem('InternalError', 'wrong', { cause: new Error('undefined is not a function') });

it('an outage is logged once in ten seconds with the number of failures, and every bug is logged', () => {
  const lines: { msg: string; unsaid?: number; requestId: string; err: { stack: string } }[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const clock = new TestClock();
  const failures = new FailureLog(clock);
  const answer = (problem: Problem, id: string) => failures.answered(log, problem, problem, id);
  for (const id of ['1', '2', '3']) answer(outage, id);
  answer(new Problem('NotFoundError', 'no'), '4');
  answer(bug, '5');
  answer(bug, '6');
  clock.advance(9_999);
  answer(outage, '7');
  clock.advance(1);
  answer(outage, '8');
  expect(lines.map(({ requestId, unsaid }) => [requestId, unsaid])).toEqual([
    ['1', 0],
    ['5', undefined],
    ['6', undefined],
    ['8', 3],
  ]);
  for (const byMs of [-3_600_000, 7_200_000]) {
    clock.set(byMs);
    answer(outage, '9');
  }
  clock.advance(10_000);
  answer(outage, '10');
  expect(lines.at(-1)).toMatchObject({ requestId: '10', unsaid: 2 });
  expect(lines[0]?.err.stack).toContain('ECONNREFUSED');
});
