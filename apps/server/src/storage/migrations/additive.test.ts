import { describe, expect, it } from 'vitest';
import { postgresDialect } from './dialect.ts';
import { migrations } from './migrations.ts';

/** The last migration of 0.9.0, the first version that supports a rolling upgrade to the next version. */
const lastOf090 = '0035-on-call-reads-signals';

/**
 * Returns whether processes of the previous version can still serve after a statement of a migration (docs/adr, 88).
 */
function onlyAdds(statement: string): boolean {
  if (/^(create table|create index|insert into|update) /.test(statement)) return true;
  const [, column] = /^alter table \w+ add column (.*)$/s.exec(statement) ?? [];
  return column !== undefined && (!/ not null/.test(column) || / default /.test(column));
}

describe('a migration after 0.9.0', () => {
  it.each(Object.entries(migrations).filter(([name]) => name > lastOf090))('%s only adds', (_, statements) => {
    expect(statements(postgresDialect).filter((statement) => !onlyAdds(statement))).toEqual([]);
  });

  it.each([
    ['alter table features add column a text', true],
    ["alter table features add column a text not null default ''", true],
    ['create index features_a on features (a)', true],
    ['alter table features add column a text not null', false],
    ['create unique index features_a on features (a)', false],
    ['alter table features drop column stale', false],
    ['alter table features rename column stale to old', false],
    ['drop table banners', false],
    ['delete from events', false],
  ])('may hold "%s": %s', (statement, may) => {
    expect(onlyAdds(statement)).toBe(may);
  });
});
