import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { author } from '../../testing/database.ts';
import { freshName, givenDefault, givenProject, givenStrategy } from '../../testing/flags.ts';
import { givenPlan, givenTemplate } from '../../testing/release-plans.ts';
import { givenSegment } from '../../testing/segments.ts';
import { useServer } from '../../testing/server.ts';
import { listUnevenValues } from './uneven-values.ts';

const server = useServer();

const old = JSON.stringify([
  {
    contextName: 'born',
    operator: 'DATE_AFTER',
    value: '2026-01-01',
    values: [],
    inverted: false,
    caseInsensitive: false,
  },
]);
const oddPercentage = JSON.stringify({ rollout: '33.3', stickiness: 'default', groupId: 'g' });

it('values that SDKs read differently are listed with the object that has them', async () => {
  const project = await givenProject(server());
  const { featureName } = await givenStrategy(server(), { name: 'flexibleRollout' });
  await givenDefault(server(), { name: 'default' }, project);
  const segment = await givenSegment(server());
  const template = await givenTemplate(server(), { name: freshName('template') });
  const { params } = await givenPlan(server());
  const { database } = server().app;
  expect(await listUnevenValues(database.db)).toEqual([]);
  await database.write(author, async (tx) => {
    const { db } = tx;
    await db
      .updateTable('feature_strategies')
      .set({ constraints: old, parameters: oddPercentage })
      .where('feature_name', '=', featureName)
      .execute();
    await db.updateTable('default_strategies').set({ constraints: old }).where('project', '=', project).execute();
    await db.updateTable('segments').set({ constraints: old }).where('id', '=', segment.id).execute();
    for (const table of ['release_templates', 'release_plans']) {
      const change = `milestones = replace(milestones, '"rollout":"50"', '"rollout":"050"')`;
      await sql.raw(`update ${table} set ${change}`).execute(db);
    }
    tx.record({ type: 'features-imported', project, environment: 'development' });
  });
  const lines = await listUnevenValues(database.db);
  const date = expect.stringContaining('must be currentTime for DATE_AFTER');
  expect(lines).toHaveLength(6);
  for (const owner of [
    `the flag ${featureName} in development: parameters.rollout must be a whole number`,
    `the flag ${featureName} in development: constraints.0.contextName`,
    `the default strategy of the project ${project} in production: constraints.0.contextName`,
    `the segment ${segment.name}: constraints.0.contextName`,
    `the release template ${template.name}, milestone 50 %: parameters.rollout`,
    `the release plan of the flag ${params.featureName} in development, milestone 50 %: parameters.rollout`,
  ])
    expect(lines).toContainEqual(expect.stringContaining(owner));
  expect(lines).toContainEqual(date);
});
