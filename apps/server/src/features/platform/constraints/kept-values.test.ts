import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { looseNumbers } from '#storage/migrations/0059-loose-numbers.ts';
import { author } from '#testing/database.ts';
import { freshName, givenEnabled, givenProject } from '#testing/flags.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const inFlag = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

const plain = { values: [], inverted: false, caseInsensitive: false };
/** A constraint and a percentage of an earlier version, which a new strategy may not have. */
const oldConstraint = { ...plain, contextName: 'country', operator: 'DATE_AFTER', value: '2026-03-31T12:00:00.000Z' };
const oldParameters = { rollout: '33.3', stickiness: 'default', groupId: 'g' };
const good = { ...plain, contextName: 'country', operator: 'IN', values: ['NO'] };

/** A change must record an event. */
const someEvent = { type: 'features-imported', project: 'default', environment: 'development' } as const;

/** Returns a flag that is on, whose strategy an earlier version has stored. */
async function givenOldStrategy() {
  const params = await givenEnabled(server(), await givenProject(server()));
  await server().app.database.write(author, async (tx) => {
    await tx.db
      .updateTable('feature_strategies')
      .set({ constraints: JSON.stringify([oldConstraint]), parameters: JSON.stringify(oldParameters) })
      .where('feature_name', '=', params.featureName)
      .execute();
    tx.record(someEvent);
  });
  const { json } = await server().admin.call(`GET ${inFlag}/strategies`, { params });
  return { params: { ...params, strategyId: json[0].id }, strategy: json[0] };
}

it('a strategy of an earlier version can be saved again while its values stay, and is strict where they change', async () => {
  const { params, strategy } = await givenOldStrategy();
  const save = (more: object) =>
    server().admin.call(`PUT ${inFlag}/strategies/:strategyId`, { params, body: { ...strategy, ...more } });
  expect((await save({ title: 'Renamed', constraints: [good, oldConstraint] })).status).toBe(200);
  const changed = { ...oldConstraint, value: '2027-03-31T12:00:00.000Z' };
  expect((await save({ constraints: [changed] })).json.details).toMatchObject([{ path: 'constraints.0.contextName' }]);
  const otherRollout = { ...oldParameters, rollout: '33.4' };
  expect((await save({ parameters: otherRollout })).json.details).toMatchObject([{ path: 'parameters.rollout' }]);
  expect((await save({ constraints: [good], parameters: { ...oldParameters, rollout: '33' } })).status).toBe(200);
  expect((await save({ constraints: [oldConstraint] })).status).toBe(400);
});

it('the state and the export of a flag of an earlier version can be applied and imported over it', async () => {
  const { params } = await givenOldStrategy();
  const state = (await server().admin.call('GET /api/admin/state', { query: { projects: params.projectId } })).json;
  const planned = await server().admin.call('POST /api/admin/state/plan', { body: { state } });
  expect(planned.json).toMatchObject({ changes: [], errors: [] });
  const environment = 'development';
  const features = [params.featureName];
  const body = { environment, features, downloadFile: false };
  const data = (await server().admin.call('POST /api/admin/features-batch/export', { body })).json;
  data.contextFields = [{ name: 'country' }];
  const validated = await server().admin.call('POST /api/admin/features-batch/validate', {
    body: { project: params.projectId, environment, data },
  });
  expect(validated.json.errors).toEqual([]);
  expect(validated.json.warnings).toContainEqual({
    message: expect.stringContaining('keep values that SDKs read differently'),
    affectedItems: [params.featureName],
  });
  const imported = await server().admin.call('POST /api/admin/features-batch/import', {
    body: { project: params.projectId, environment, data },
  });
  expect(imported.status, imported.text).toBe(200);
});

it('a segment of an earlier version can be saved again while its constraints stay', async () => {
  const { id } = await givenSegment(server());
  await server().app.database.write(author, async (tx) => {
    await tx.db
      .updateTable('segments')
      .set({ constraints: JSON.stringify([oldConstraint]) })
      .where('id', '=', id)
      .execute();
    tx.record(someEvent);
  });
  const save = (constraints: readonly object[]) =>
    server().admin.call('PUT /api/admin/segments/:id', {
      params: { id },
      body: { name: freshName('segment'), constraints },
    });
  expect((await save([oldConstraint, good])).status).toBe(204);
  expect((await save([{ ...oldConstraint, inverted: true }])).status).toBe(400);
});

it('a constraint that was stored before goes on reading blank text as 0, until it is edited', async () => {
  const projectId = await givenProject(server());
  const params = await givenEnabled(server(), projectId);
  const call = (route: 'GET' | 'PUT', at: object, body?: object) =>
    server().admin.call(`${route} ${inFlag}/strategies/:strategyId`, { params: { ...params, ...at }, body });
  const [{ id: strategyId, ...strategy }] = (await server().admin.call(`GET ${inFlag}/strategies`, { params })).json;
  const child = { ...plain, contextName: 'age', operator: 'NUM_LT', value: '18' };
  const save = (constraint: object) => call('PUT', { strategyId }, { ...strategy, constraints: [constraint] });
  const constraints = async () => (await call('GET', { strategyId })).json.constraints;
  const isOnForBlank = async () => {
    for (const state of ['off', 'on'] as const) await server().admin.call(`POST ${inFlag}/${state}`, { params });
    const body = {
      environment: 'development',
      projects: [projectId],
      context: { appName: 'a', properties: { age: '' } },
    };
    return (await server().admin.call('POST /api/admin/playground', { body })).json.features[0].isEnabled;
  };
  const upgrade = () =>
    server().app.database.write(author, async (tx) => {
      for (const statement of looseNumbers()) await sql.raw(statement).execute(tx.db);
      tx.record(someEvent);
    });
  expect((await save(child)).status).toBe(200);
  expect([await isOnForBlank(), await constraints()]).toEqual([false, [child]]);
  await upgrade();
  expect([await isOnForBlank(), await constraints()]).toEqual([true, [{ ...child, looseNumber: true }]]);
  const state = (await server().admin.call('GET /api/admin/state', { query: { projects: projectId } })).json;
  const planned = await server().admin.call('POST /api/admin/state/plan', { body: { state } });
  expect(planned.json).toMatchObject({ changes: [], errors: [] });
  await save(child);
  expect(await isOnForBlank()).toBe(true);
  await save({ ...child, value: '19' });
  expect([await isOnForBlank(), await constraints()]).toEqual([false, [{ ...child, value: '19' }]]);
  await save({ ...child, value: '19', looseNumber: true });
  expect(await isOnForBlank()).toBe(false);
  await upgrade();
  await save({ ...child, value: '19', looseNumber: false });
  expect([await isOnForBlank(), await constraints()]).toEqual([false, [{ ...child, value: '19' }]]);
});
