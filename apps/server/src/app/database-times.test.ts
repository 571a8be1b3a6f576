import { describe, expect, it } from 'vitest';
import { createMetrics } from '#observe/metrics.ts';
import { givenFlag } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { observeDatabase } from './database-times.ts';

/** Returns the value of a line of the metrics; undefined when there is none. */
function readingOf(text: string, line: string): number | undefined {
  const found = text.split('\n').find((each) => each.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length));
}

describe('the times of the database', () => {
  const server = useServer();

  it('are metrics: statements by verb and table, waits by what is waited for', async () => {
    const read = async () => (await server().anonymous.call('GET /metrics')).text;
    const lines = [
      'database_statement_duration_seconds_count{statement="insert features"}',
      'database_statement_duration_seconds_count{statement="select features"}',
      'database_wait_duration_seconds_count{for="change"}',
    ];
    const before = await read();
    await givenFlag(server());
    const after = await read();
    for (const line of lines) expect(readingOf(after, line), line).toBeGreaterThan(readingOf(before, line) ?? 0);
    expect(readingOf(after, 'database_statement_duration_seconds_sum{statement="insert features"}')).toBeGreaterThan(0);
  });
});

describe('a statement that takes long', () => {
  const slowLog = (slowMs: number) => {
    const logged: object[] = [];
    const metrics = createMetrics();
    const log = { info: () => undefined, error: () => undefined, warn: (about: object) => void logged.push(about) };
    const observer = observeDatabase(metrics, log, slowMs);
    metrics.stop();
    return { observer, logged };
  };

  it('is logged with its SQL from the time that the setting names', () => {
    const { observer, logged } = slowLog(100);
    const sql = 'select "id" from (select * from "events" where "id" > $1) as e';
    observer.statement(sql, 99.9);
    expect(logged).toEqual([]);
    observer.statement(sql, 100.4);
    expect(logged).toEqual([{ statement: 'select events', ms: 100, sql }]);
  });

  it('is not logged when the setting is 0', () => {
    const { observer, logged } = slowLog(0);
    observer.statement('select 1', 1e6);
    expect(logged).toEqual([]);
  });
});
