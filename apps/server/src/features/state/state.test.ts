import { describe, expect, it } from 'vitest';
import { givenCaller } from '../../../testing/access.ts';
import { freshName, givenFlag, givenProject } from '../../../testing/flags.ts';
import { lastEventId, runScenario } from '../../../testing/scenario.ts';
import { useServer } from '../../../testing/server.ts';
import { counted } from '../../../testing/statements.ts';
import { presentState } from './present.ts';
import { stateScenarios } from './scenarios.ts';

describe('state as code', () => {
  const server = useServer({ signalEndpointsLimit: 1000 });
  for (const scenario of stateScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }

  it('changes nothing when it is applied twice, whatever is on without a strategy', async () => {
    const flag = { environments: { development: { enabled: true, strategies: [] }, production: { enabled: true } } };
    const body = { state: { version: 1, projects: { default: { flags: { [freshName('flag')]: flag } } } } };
    const first = await server().admin.call('POST /api/admin/state/apply', { body });
    expect(first.json.changes).toHaveLength(5);
    const before = await lastEventId(server());
    const second = await server().admin.call('POST /api/admin/state/apply', { body });
    expect(second.json).toEqual({ changes: [] });
    expect(await lastEventId(server())).toBe(before);
  });

  it('keeps strategies with their ids when others come and go, and puts them in the order that is wanted', async () => {
    const { projectId, featureName } = await givenFlag(server());
    const apply = async (...titles: string[]) => {
      const strategies = titles.map((title) => ({ name: 'default', title }));
      const flags = { [featureName]: { environments: { development: { strategies } } } };
      const body = { state: { version: 1, projects: { [projectId]: { flags } } } };
      await server().admin.call('POST /api/admin/state/apply', { body });
      const { json } = await server().admin.call(
        'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies',
        { params: { projectId, featureName, environment: 'development' } },
      );
      const listed = json as { id: string; title: string }[];
      expect(listed.map(({ title }) => title)).toEqual(titles);
      return new Map(listed.map(({ title, id }) => [title, id]));
    };
    const first = await apply('a', 'b', 'c');
    const second = await apply('c', 'x', 'a');
    expect([second.get('a'), second.get('c')]).toEqual([first.get('a'), first.get('c')]);
    expect([...first.values()]).not.toContain(second.get('x'));
  });

  it('is hidden with private projects', async () => {
    const project = await givenProject(server(), { mode: 'private' });
    await givenFlag(server(), {}, project);
    const { client } = await givenCaller(server(), 'Editor');
    expect((await client.call('GET /api/admin/state')).text).not.toContain(project);
    expect((await client.call('GET /api/admin/state', { query: { projects: project } })).status).toBe(404);
    for (const route of ['POST /api/admin/state/plan', 'POST /api/admin/state/apply'] as const) {
      const body = { state: { version: 1, projects: { [project]: {} } } };
      expect((await client.call(route, { body })).status).toBe(404);
    }
  });

  it('is read in as many statements whatever the number of flags', async () => {
    const project = await givenProject(server());
    const statements = async () => {
      const { db, counter } = counted(server().app.database);
      await presentState(db, { hidden: new Set(), can: () => true }, [project]);
      return counter.statements;
    };
    await givenFlag(server(), {}, project);
    const one = await statements();
    for (let more = 0; more < 5; more++) await givenFlag(server(), {}, project);
    expect(await statements()).toBe(one);
  });
});
