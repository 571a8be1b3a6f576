import { describe, expect, it } from 'vitest';
import { loadClientFeatures } from '#features/flags/reading/index.ts';
import { addStrategy, givenArchived, givenEnabled, givenFlag, givenFlagIn, givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { counted } from '#testing/statements.ts';
import { pagesOfFeatures } from './queries.ts';

const server = useServer();

describe('reading flags', () => {
  it('takes the same number of statements for many flags as for one', async () => {
    const projectId = await givenProject(server());
    const statements = async () => {
      const { db, counter } = counted(server().app.database);
      const flags = (await Array.fromAsync(pagesOfFeatures(db, projectId, 1))).flat();
      const ofList = counter.statements;
      await loadClientFeatures(db);
      return { flags: flags.length, ofList, ofClient: counter.statements - ofList };
    };
    const add = async () => {
      const params = { ...(await givenFlag(server(), { tags: [{ type: 'simple', value: 'b1' }] }, projectId)) };
      await addStrategy(server(), { ...params, environment: 'production' }, { name: 'default' });
    };
    await add();
    expect(await statements()).toEqual({ flags: 1, ofList: 3, ofClient: 1 });
    for (let more = 0; more < 5; more++) await add();
    expect(await statements()).toEqual({ flags: 6, ofList: 3, ofClient: 1 });
  });

  it('lists more flags than fit in one page, each once and by name', async () => {
    const projectId = await givenProject(server());
    const created = await Promise.all(Array.from({ length: 260 }, () => givenFlag(server(), {}, projectId)));
    await givenArchived(server(), projectId);
    const { json } = await server().admin.call('GET /api/admin/projects/:projectId/features', {
      params: { projectId },
    });
    const names = json.features.map(({ name }: { name: string }) => name);
    expect(names).toEqual(created.map(({ featureName }) => featureName).toSorted());
  });

  it('returns each flag of a list with the fields of a single flag, except strategies', async () => {
    const projectId = await givenProject(server());
    const params = { ...(await givenFlag(server(), { tags: [{ type: 'simple', value: 'b1' }] }, projectId)) };
    await addStrategy(server(), { ...params, environment: 'production' }, { name: 'default', disabled: true });
    const list = await server().admin.call('GET /api/admin/projects/:projectId/features', { params });
    const answer = await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName', { params });
    expect(list.json.features).toHaveLength(1);
    expect(answer.json).toMatchObject(list.json.features[0]);
    expect(list.json.features[0].environments).toMatchObject([
      { name: 'development', hasStrategies: false, hasEnabledStrategies: false },
      { name: 'production', hasStrategies: true, hasEnabledStrategies: false },
    ]);
  });
});

describe('loadClientFeatures', () => {
  it('returns every environment with its strategies in order, disabled strategies included', async () => {
    const params = await givenFlagIn(server(), 'production');
    await addStrategy(server(), params, { name: 'userWithId', parameters: { userIds: 'ann' }, sortOrder: 2 });
    const title = 'not yet';
    await addStrategy(server(), params, { name: 'default', disabled: true, title, sortOrder: 3 });
    await addStrategy(server(), params, {
      name: 'default',
      sortOrder: 1,
      constraints: [{ contextName: 'n', operator: 'NUM_GT', value: '5' }],
    });
    const [feature, ...others] = await loadClientFeatures(server().app.database.db, [params.featureName, 'nowhere']);
    expect(others).toEqual([]);
    const active = { id: expect.any(String), title: null, disabled: false };
    expect(feature).toEqual({
      name: params.featureName,
      project: 'default',
      type: 'release',
      description: null,
      stale: false,
      impressionData: false,
      dependency: null,
      environments: [
        { environment: 'development', enabled: false, strategies: [], variantsJson: '[]' },
        {
          environment: 'production',
          enabled: false,
          variantsJson: '[]',
          strategies: [
            {
              ...active,
              name: 'default',
              parametersJson: '{}',
              constraintsJson:
                '[{"contextName":"n","operator":"NUM_GT","values":[],"value":"5","inverted":false,"caseInsensitive":false}]',
              variantsJson: '[]',
              segments: [],
            },
            {
              ...active,
              name: 'userWithId',
              parametersJson: '{"userIds":"ann"}',
              constraintsJson: '[]',
              variantsJson: '[]',
              segments: [],
            },
            {
              id: expect.any(String),
              title,
              disabled: true,
              name: 'default',
              parametersJson: '{}',
              constraintsJson: '[]',
              variantsJson: '[]',
              segments: [],
            },
          ],
        },
      ],
    });
  });

  it('leaves archived flags out', async () => {
    const { db } = server().app.database;
    const archived = await givenArchived(server());
    const { featureName } = await givenEnabled(server());
    const names = (await loadClientFeatures(db)).map(({ name }) => name);
    expect(names).toContain(featureName);
    expect(names).not.toContain(archived.featureName);
    expect(await loadClientFeatures(db, [archived.featureName])).toEqual([]);
    expect(await loadClientFeatures(db, [])).toEqual([]);
  });

  it('accepts more names than fit in one statement', async () => {
    const { featureName } = await givenEnabled(server());
    const names = [...Array.from({ length: 40_000 }, (_, n) => `absent-${n}`), featureName];
    const found = await loadClientFeatures(server().app.database.db, names);
    expect(found.map(({ name }) => name)).toEqual([featureName]);
  });
});
