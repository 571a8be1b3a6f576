import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { author, useDatabase } from '#testing/database.ts';
import { looseNumbers } from './0059-loose-numbers.ts';

const given = useDatabase();

it('marks the constraints that compare numbers, once for each, and nothing in values', async () => {
  const { database } = given();
  const constraints = [
    { contextName: 'age', operator: 'NUM_LT', value: '18', values: [], inverted: false, caseInsensitive: false },
    { contextName: 'text', operator: 'IN', values: ['"operator":"NUM_LT"'], inverted: false, caseInsensitive: false },
    { contextName: 'n', operator: 'NUM_EQ', value: '1', values: [], inverted: true, caseInsensitive: false },
  ];
  await database.writeQuietly('jobs', author, async (tx) => {
    await tx.db
      .insertInto('segments')
      .values({
        name: 'of an earlier version',
        description: null,
        project: null,
        constraints: JSON.stringify(constraints),
        created_by: 'a',
        created_at: 0,
      })
      .execute();
    for (const statement of looseNumbers()) await sql.raw(statement).execute(tx.db);
  });
  const [row] = await database.db.selectFrom('segments').select('constraints').execute();
  const [first, second, third] = constraints;
  expect(JSON.parse(row?.constraints ?? '')).toEqual([
    { ...first, looseNumber: true },
    second,
    { ...third, looseNumber: true },
  ]);
});
