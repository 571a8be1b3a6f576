import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { author, useDatabase } from '#testing/database.ts';
import { deletedPrivateProjects } from './0042-deleted-private-projects.ts';
import { postgresDialect, sqliteDialect } from './dialect.ts';

const given = useDatabase();

const event = (id: number, type: string, project: string, mode?: string) =>
  `insert into events (id, type, created_at, created_by, tags, project, data)
    values (${id}, '${type}', 0, 'admin', '[]', '${project}', ${mode === undefined ? 'null' : `'{"mode":"${mode}"}'`})`;

it('finds the private projects that were deleted before, by their events', async () => {
  const { database } = given();
  const dialect = database.engine === 'postgres' ? postgresDialect : sqliteDialect;
  await database.writeQuietly('jobs', author, async (tx) => {
    for (const statement of [
      'drop table deleted_private_projects',
      event(1, 'project-created', 'was-private', 'private'),
      event(2, 'project-deleted', 'was-private'),
      event(3, 'project-created', 'became-private', 'open'),
      event(4, 'project-updated', 'became-private', 'private'),
      event(5, 'feature-created', 'became-private', 'open'),
      event(6, 'project-deleted', 'became-private'),
      event(7, 'project-created', 'became-open', 'private'),
      event(8, 'project-updated', 'became-open', 'open'),
      event(9, 'project-deleted', 'became-open'),
      event(10, 'project-created', 'not-deleted', 'private'),
      event(11, 'project-created', 'created-again', 'private'),
      event(12, 'project-deleted', 'created-again'),
      `insert into projects (id, name, mode, default_stickiness, created_at, updated_at)
        values ('created-again', 'Again', 'open', 'default', 0, 0)`,
      ...deletedPrivateProjects(dialect),
    ]) {
      await sql.raw(statement).execute(tx.db);
    }
  });
  const remembered = await database.db.selectFrom('deleted_private_projects').select('id').orderBy('id').execute();
  expect(remembered.map(({ id }) => id)).toEqual(['became-private', 'was-private']);
});
