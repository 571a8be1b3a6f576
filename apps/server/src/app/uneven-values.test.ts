import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { givenActionPlace, givenSet, signal } from '#testing/actions.ts';
import { holdingAlerts } from '#testing/alerts.ts';
import { author } from '#testing/database.ts';
import { freshName, givenDefault, givenProject, givenStrategy } from '#testing/flags.ts';
import { givenPlan, givenTemplate } from '#testing/release-plans.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { listUnevenValues } from './uneven-values.ts';

const server = useServer();

/** Returns the name of a flag that an alert holds at the first milestone of its release plan. */
async function givenHeldPlan(): Promise<string> {
  const place = await givenActionPlace(server());
  const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
  await server().admin.call(on, { params: place.flag });
  await givenPlan(server(), undefined, place.flag);
  await givenSet(server(), holdingAlerts(place, { params: { effect: 'milestone', milestone: 'first' } }), place);
  await signal(server(), place, { alerts: [{ status: 'firing', fingerprint: 'a' }] });
  return place.flag.featureName;
}

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
  const held = await givenHeldPlan();
  const archived = await givenStrategy(server(), { name: 'flexibleRollout' });
  const archive = 'POST /api/admin/projects/:projectId/archive';
  const body = { features: [archived.featureName] };
  expect((await server().admin.call(archive, { params: archived, body })).status).toBe(202);
  const { database } = server().app;
  expect(await listUnevenValues(database.db)).toEqual([]);
  const parameters = { IPs: '10.0.0.0/8, 2001:db8::1, 2001:db8::/32' };
  const addresses = await givenStrategy(server(), { name: 'remoteAddress', parameters });
  await database.write(author, async (tx) => {
    const { db } = tx;
    await db
      .updateTable('feature_strategies')
      .set({ constraints: old, parameters: oddPercentage })
      .where('feature_name', 'in', [featureName, archived.featureName])
      .execute();
    await db.updateTable('default_strategies').set({ constraints: old }).where('project', '=', project).execute();
    await db.updateTable('segments').set({ constraints: old }).where('id', '=', segment.id).execute();
    for (const table of ['release_templates', 'release_plans']) {
      const change = `milestones = replace(milestones, '"rollout":"50"', '"rollout":"050"')`;
      await sql.raw(`update ${table} set ${change}`).execute(db);
    }
    await sql
      .raw(`update feature_leases set milestone = replace(milestone, '"rollout":"10"', '"rollout":"010"')`)
      .execute(db);
    tx.record({ type: 'features-imported', project, environment: 'development' });
  });
  const lines = await listUnevenValues(database.db);
  const date = expect.stringContaining('must be currentTime for DATE_AFTER');
  expect(lines).toHaveLength(11);
  for (const owner of [
    `the flag ${featureName} in development: parameters.rollout must be a whole number`,
    `the flag ${featureName} in development: constraints.0.contextName`,
    `the flag ${addresses.featureName} in development: parameters.IPs has 2001:db8::/32, in which the SDK for Node`,
    `the archived flag ${archived.featureName} in development: constraints.0.contextName`,
    `the hold on the flag ${held} in development, milestone 10 %: parameters.rollout must be a whole number`,
    `the default strategy of the project ${project} in production: constraints.0.contextName`,
    `the segment ${segment.name}: constraints.0.contextName`,
    `the release template ${template.name}, milestone 50 %: parameters.rollout`,
    `the release plan of the flag ${params.featureName} in development, milestone 50 %: parameters.rollout`,
  ])
    expect(lines).toContainEqual(expect.stringContaining(owner));
  expect(lines).toContainEqual(date);
});
