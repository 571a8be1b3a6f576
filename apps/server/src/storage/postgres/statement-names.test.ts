import { describe, expect, it } from 'vitest';
import { queryPostgres } from '../../../testing/postgres.ts';
import { createStorage, engine, startServer } from '../../../testing/server.ts';
import { StatementNames } from './statement-names.ts';

const often = 10;

/** The name that a statement has after it was used often. */
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
    'insert into a select a.* from b as a',
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

describe.runIf(engine === 'postgres')('a server whose tables a newer one has extended', () => {
  it('goes on reading and changing them', async () => {
    const storage = createStorage();
    const server = await startServer(storage);
    try {
      const use = async (id: string) => {
        const { status } = await server.admin.request('POST', '/api/admin/projects', { body: { name: id, id } });
        const events = await server.admin.request('GET', `/api/admin/events?project=${id}`);
        return { status, events: events.json.events.length };
      };
      for (let n = 0; n < often; n++) await use(`before-${n}`);
      const { databaseUrl = '', databaseSchema = '' } = storage.settings;
      await queryPostgres(databaseUrl, databaseSchema, async (query) => {
        for (const table of ['events', 'projects', 'counters', 'event_totals', 'project_environments']) {
          await query(`alter table ${table} add column from_the_future text`);
        }
      });
      for (let n = 0; n < often; n++) expect(await use(`after-${n}`)).toEqual({ status: 201, events: 1 });
    } finally {
      await server.stop();
      await storage.remove();
    }
  });
});
