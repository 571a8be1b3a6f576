import { describe, expect, it } from 'vitest';
import { givenConstraintOn, givenContextField, legalValues } from '#testing/context-fields.ts';
import { givenFlag, givenFlagIn, givenProject } from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { counted } from '#testing/statements.ts';
import { contextFieldScenarios } from './context-fields.scenarios.ts';
import { presentFields } from './present-with-uses.ts';

describe('context field routes', () => testScenarios(useServer(), contextFieldScenarios));

const list = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies' as const;
const strategyPath = `${list}/:strategyId` as const;

describe('legal values', () => {
  const server = useServer();

  /** Returns the reply to adding a strategy with this constraint to a new flag. */
  async function ask(constraint: object, projectId = 'default') {
    const params = { ...(await givenFlag(server(), {}, projectId)), environment: 'development' };
    return server().admin.call(`POST ${list}`, { params, body: { name: 'default', constraints: [constraint] } });
  }

  it('are the only values that constraints of strategies may use', async () => {
    const contextName = await givenContextField(server(), { legalValues });
    expect((await ask({ contextName, operator: 'IN', values: ['us', 'eu'] })).status).toBe(200);
    expect((await ask({ contextName: 'anything', operator: 'IN', values: ['mars'] })).status).toBe(200);
    for (const operator of ['IN', 'NOT_IN', 'STR_CONTAINS']) {
      const refused = await ask({ contextName, operator, values: ['eu', 'mars'] });
      expect(refused.status).toBe(400);
      expect(refused.json).toMatchObject({ name: 'BadDataError', details: [{ path: 'constraints.0.values.1' }] });
      expect(refused.json.message).toContain(contextName);
    }
  });

  it('apply to operators with a single value', async () => {
    const contextName = await givenContextField(server(), { legalValues: [{ value: '1' }, { value: '1.0.0' }] });
    expect((await ask({ contextName, operator: 'NUM_GT', value: '1' })).status).toBe(200);
    expect((await ask({ contextName, operator: 'SEMVER_EQ', value: '1.0.0' })).status).toBe(200);
    const refused = await ask({ contextName, operator: 'NUM_GT', value: '2' });
    expect(refused.json).toMatchObject({ details: [{ path: 'constraints.0.value' }] });
    // Patterns are not checked against the legal values.
    expect((await ask({ contextName, operator: 'REGEX', value: '^1' })).status).toBe(200);
  });

  it('of a project field apply only in that project', async () => {
    const projectId = await givenProject(server());
    const contextName = await givenContextField(server(), { legalValues, project: projectId });
    const constraint = { contextName, operator: 'IN', values: ['mars'] };
    expect((await ask(constraint)).status).toBe(200);
    expect((await ask(constraint, projectId)).status).toBe(400);
  });

  it('apply to constraints of segments and to validation requests', async () => {
    const contextName = await givenContextField(server(), { legalValues });
    const constraint = (value: string) => ({ contextName, operator: 'IN', values: [value] });
    const { id, name } = await givenSegment(server(), { constraints: [constraint('eu')] });
    const put = (value: string) =>
      server().admin.call('PUT /api/admin/segments/:id', {
        params: { id },
        body: { name, constraints: [constraint(value)] },
      });
    expect((await put('us')).status).toBe(204);
    expect((await put('mars')).json).toMatchObject({ details: [{ path: 'constraints.0.values.0' }] });
    const body = { name: 'never', constraints: [constraint('mars')] };
    expect((await server().admin.call('POST /api/admin/segments', { body })).status).toBe(400);
    const validate = (value: string) =>
      server().admin.call('POST /api/admin/constraints/validate', { body: constraint(value) });
    expect((await validate('eu')).status).toBe(204);
    expect((await validate('mars')).json).toMatchObject({ details: [{ path: 'values.0' }] });
  });

  it('added later do not affect existing constraints', async () => {
    const contextName = await givenContextField(server());
    const params = await givenConstraintOn(server(), contextName);
    const call = { params: { contextField: contextName }, body: { value: 'us' } };
    expect((await server().admin.call('POST /api/admin/context/:contextField/legal-values', call)).status).toBe(200);
    const patch = (...body: object[]) => server().admin.call(`PATCH ${strategyPath}`, { params, body });
    expect((await patch({ op: 'replace', path: '/title', value: 'x' })).status).toBe(200);
    const added = (value: string) => ({
      op: 'add',
      path: '/constraints/-',
      value: { contextName, operator: 'IN', values: [value] },
    });
    expect((await patch(added('us'))).status).toBe(200);
    expect((await patch(added('mars'))).json).toMatchObject({ details: [{ path: 'constraints.2.values.0' }] });
  });
});

describe('the uses of a field', () => {
  const server = useServer();
  const using = async (contextField: string): Promise<number> => {
    const route = 'GET /api/admin/context/:contextField/strategies';
    return (await server().admin.call(route, { params: { contextField } })).json.strategies.length;
  };

  it('follow changes, clones and deletions of strategies', async () => {
    const [first, second] = [await givenContextField(server()), await givenContextField(server())];
    const params = await givenConstraintOn(server(), first);
    expect([await using(first), await using(second)]).toEqual([1, 0]);
    const copy = { params, body: { name: `${params.featureName}-copy` } };
    await server().admin.call('POST /api/admin/projects/:projectId/features/:featureName/clone', copy);
    expect(await using(first)).toBe(2);
    const constraints = [{ contextName: second, operator: 'IN', values: ['a'] }];
    await server().admin.call(`PUT ${strategyPath}`, {
      params,
      body: { constraints: [...constraints, ...constraints] },
    });
    expect([await using(first), await using(second)]).toEqual([1, 1]);
    await server().admin.call(`DELETE ${strategyPath}`, { params });
    expect([await using(first), await using(second)]).toEqual([1, 0]);
  });

  it('list every strategy once, ordered by flag, also when there are many', async () => {
    const field = await givenContextField(server());
    const project = await givenProject(server());
    const flags = Array.from({ length: 900 }, (_, index) => `${field}-${String(index).padStart(3, '0')}`);
    const constraints = [{ contextName: field, operator: 'IN', values: ['a'] }];
    const data = {
      features: flags.map((name) => ({ name })),
      featureStrategies: flags.flatMap((featureName) =>
        [1, 2, 3].map(() => ({ featureName, name: 'default', constraints })),
      ),
    };
    const body = { project, environment: 'development', data };
    expect((await server().admin.call('POST /api/admin/features-batch/import', { body })).status).toBe(200);
    const route = 'GET /api/admin/context/:contextField/strategies';
    const { json } = await server().admin.call(route, { params: { contextField: field } });
    const listed: { id: string; featureName: string }[] = json.strategies;
    expect(listed.map(({ featureName }) => featureName)).toEqual(flags.flatMap((name) => [name, name, name]));
    expect(new Set(listed.map(({ id }) => id)).size).toBe(3 * flags.length);
  });

  it('show flag, project, environment and escaped name of each strategy', async () => {
    const field = await givenContextField(server());
    const name = `say "\\ ${field}"`;
    await server().admin.call('POST /api/admin/strategies', { body: { name, parameters: [] } });
    const given: unknown[] = [];
    for (const projectId of ['default', await givenProject(server())]) {
      for (const strategyName of ['default', name]) {
        for (const environment of ['development', 'production']) {
          const { featureName } = await givenFlag(server(), {}, projectId);
          const params = { projectId, featureName, environment };
          const constraints = [{ contextName: field, operator: 'IN', values: ['a'] }];
          const answer = await server().admin.call(`POST ${list}`, {
            params,
            body: { name: strategyName, constraints },
          });
          given.push({ id: answer.json.id, strategyName, ...params });
        }
      }
    }
    const route = 'GET /api/admin/context/:contextField/strategies';
    const { json } = await server().admin.call(route, { params: { contextField: field } });
    expect(json.strategies).toHaveLength(given.length);
    expect(json.strategies).toEqual(expect.arrayContaining(given));
  });

  it('show the current name of a strategy', async () => {
    const field = await givenContextField(server());
    const params = await givenConstraintOn(server(), field);
    const constraints = [{ contextName: field, operator: 'IN', values: ['a'] }];
    await server().admin.call(`PUT ${strategyPath}`, { params, body: { name: 'default', constraints } });
    const route = 'GET /api/admin/context/:contextField/strategies';
    const { json } = await server().admin.call(route, { params: { contextField: field } });
    expect(json.strategies).toEqual([
      {
        id: params.strategyId,
        strategyName: 'default',
        featureName: params.featureName,
        projectId: params.projectId,
        environment: params.environment,
      },
    ]);
  });

  it('are counted in the project that a flag was moved to', async () => {
    const field = await givenContextField(server());
    const target = await givenProject(server());
    const { featureName } = await givenConstraintOn(server(), field);
    await givenConstraintOn(server(), field, target);
    const use = async () => {
      const { json } = await server().admin.call('GET /api/admin/context/:contextField', {
        params: { contextField: field },
      });
      return [json.usedInFeatures, json.usedInProjects];
    };
    expect(await use()).toEqual([2, 2]);
    await server().admin.call('POST /api/admin/projects/:projectId/features/:featureName/changeProject', {
      params: { projectId: 'default', featureName },
      body: { newProjectId: target },
    });
    expect(await use()).toEqual([2, 1]);
  });

  it('take as many statements for many fields as for one', async () => {
    const filter = async () => {
      const { db, counter } = counted(server().app.database);
      const fields = await presentFields(db, { shared: true }, { hidden: new Set() });
      return { used: fields.filter(({ usedInFeatures }) => usedInFeatures > 0).length, ...counter };
    };
    const { used, statements } = await filter();
    for (let more = 0; more < 5; more++) await givenConstraintOn(server(), await givenContextField(server()));
    expect(await filter()).toEqual({ used: used + 5, statements });
    expect(statements).toBe(2);
  });

  it('include constraints that are older than the field', async () => {
    const params = await givenFlagIn(server());
    const constraints = [{ contextName: 'later', operator: 'IN', values: ['a'] }];
    await server().admin.call(`POST ${list}`, { params, body: { name: 'default', constraints } });
    await givenContextField(server(), { name: 'later' });
    const { json } = await server().admin.call('GET /api/admin/context/:contextField', {
      params: { contextField: 'later' },
    });
    expect(json).toMatchObject({ usedInFeatures: 1, usedInProjects: 1 });
  });
});
