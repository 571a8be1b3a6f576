import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { author, useDatabase } from '#testing/database.ts';
import { outlastedOverrides } from './0071-outlasted-overrides.ts';

const given = useDatabase();
const held = 'feature-lease-placed';
const added = 'feature-override-outlasted';

it('adds the event to integrations that people read and that tell of held flags, and to no others', async () => {
  const { database } = given();
  const integrations = [
    { provider: 'slack', events: [held, 'feature-override-ended'], expected: [held, added, 'feature-override-ended'] },
    { provider: 'email', events: ['feature-created'], expected: ['feature-created'] },
    { provider: 'webhook', events: [held], expected: [held] },
  ];
  await database.writeQuietly('jobs', author, async (tx) => {
    const rest = { description: null, enabled: 1, parameters: '{}', projects: '[]', environments: '[]' };
    for (const { provider, events } of integrations)
      await tx.db
        .insertInto('integrations')
        .values({ ...rest, provider, events: JSON.stringify(events), sees_all: 1, cursor: 0 })
        .execute();
    for (const statement of outlastedOverrides()) await sql.raw(statement).execute(tx.db);
  });
  const rows = await database.db.selectFrom('integrations').select('events').orderBy('id').execute();
  expect(rows.map(({ events }) => JSON.parse(events))).toEqual(integrations.map(({ expected }) => expected));
});
