import { describe, expect, it } from 'vitest';
import { StatementNames } from './statement-names.ts';

const often = 10;

/** Uses a statement often and returns the name that it then has. */
function nameOf(statements: StatementNames, text: string): string | undefined {
  for (let use = 1; use < often; use++) statements.named(text, [use]);
  const { name, ...statement } = statements.named(text, ['last']);
  expect(statement).toEqual({ text, values: ['last'] });
  return name;
}

describe('names of statements', () => {
  it('are for those that come again, each its own, and the same in every process', () => {
    const statements = new StatementNames();
    expect(statements.named('select 1', []).name).toBeUndefined();
    const name = nameOf(statements, 'select 1');
    expect(name).toMatch(/^yardarm_.{22}$/);
    expect(nameOf(statements, 'select 2')).not.toBe(name);
    expect(nameOf(new StatementNames(), 'select 1')).toBe(name);
  });

  it.each([
    'select * from "events" where "id" > $1',
    'select "events".* from "events"',
    'select "o".*, "f"."project" from "automation_overrides" as "o"',
    'select "f"."project", "o".* from "automation_overrides" as "o"',
    'insert into a select a.* from b as a',
    'update "jobs" set "state" = $1 returning *',
  ])('are not for %s, whose columns may change', (text) => {
    expect(nameOf(new StatementNames(), text)).toBeUndefined();
  });

  it.each(['insert into events (id) select * from unnest($1::bigint[])', 'select count(*) from events'])(
    'are for %s',
    (text) => {
      expect(nameOf(new StatementNames(), text)).toBeDefined();
    },
  );

  it('stay few for all searches', () => {
    const statements = new StatementNames();
    const names = Array.from({ length: 1000 }, (_, n) => nameOf(statements, `select ${n}`));
    const given = new Set(names.filter((name) => name !== undefined));
    expect(given.size).toBeGreaterThan(100);
    expect(given.size).toBeLessThanOrEqual(200);
  });
});
