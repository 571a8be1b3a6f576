import { describe, expect, it } from 'vitest';
import { givenCaller } from '#testing/access.ts';
import { givenActionPlace, setBody } from '#testing/actions.ts';
import { addStrategy, freshName, givenFlag, givenProject } from '#testing/flags.ts';
import { lastEventId, testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { counted } from '#testing/statements.ts';
import { stateScenarios } from './state.scenarios.ts';
import { stateText } from './state-text.ts';

describe('state as code', () => {
  const server = useServer({ signalEndpointsLimit: 1000 });
  testScenarios(server, stateScenarios);

  it('changes nothing when it is applied twice, also with a flag that is on without a strategy', async () => {
    const flag = { environments: { development: { enabled: true, strategies: [] }, production: { enabled: true } } };
    const body = { state: { version: 1, projects: { default: { flags: { [freshName('flag')]: flag } } } } };
    const first = await server().admin.call('POST /api/admin/state/apply', { body });
    expect(first.json.changes).toHaveLength(5);
    const before = await lastEventId(server());
    const second = await server().admin.call('POST /api/admin/state/apply', { body });
    expect(second.json).toEqual({ changes: [] });
    expect(await lastEventId(server())).toBe(before);
  });

  it('changes nothing when an export is applied, with a group id that equals the name of the flag', async () => {
    const project = await givenProject(server());
    const params = { ...(await givenFlag(server(), {}, project)), environment: 'development' };
    const parameters = { percentage: '50', groupId: params.featureName };
    await addStrategy(server(), params, { name: 'gradualRolloutUserId', parameters });
    const state = (await server().admin.call('GET /api/admin/state', { query: { projects: project } })).json;
    const planned = await server().admin.call('POST /api/admin/state/plan', { body: { state } });
    expect(planned.json).toMatchObject({ changes: [], errors: [] });
  });

  it('has the same text for the same parameters, in whichever order they were written', async () => {
    const project = await givenProject(server());
    for (const keys of [
      ['groupId', 'rollout', 'stickiness'],
      ['stickiness', 'rollout', 'groupId'],
    ]) {
      const params = { ...(await givenFlag(server(), {}, project)), environment: 'development' };
      const values: Record<string, string> = { groupId: 'shared', rollout: '10', stickiness: 'userId' };
      const parameters = Object.fromEntries(keys.map((key) => [key, values[key] ?? '']));
      await addStrategy(server(), params, { name: 'flexibleRollout', parameters });
    }
    const state = (await server().admin.call('GET /api/admin/state', { query: { projects: project } })).json;
    const [first, second] = Object.values(state.projects?.[project]?.flags ?? {}).map((flag) => JSON.stringify(flag));
    expect(first).toContain('"parameters":{"groupId":"shared","rollout":"10","stickiness":"userId"}');
    expect(second).toBe(first);
  });

  it('has no key __proto__, which no body may contain: no object of the state has that name', async () => {
    const name = '__proto__';
    const milestones = [{ name: 'All', strategies: [{ name: 'default' }] }];
    const replies = await Promise.all([
      server().admin.call('POST /api/admin/projects/:projectId/features', {
        params: { projectId: 'default' },
        body: { name },
      }),
      server().admin.call('POST /api/admin/segments', { body: { name, constraints: [] } }),
      server().admin.call('POST /api/admin/context', { body: { name } }),
      server().admin.call('POST /api/admin/release-plan-templates', { body: { name, milestones } }),
      server().admin.call('POST /api/admin/release-plan-templates', {
        body: { name: 'Of a milestone', milestones: [{ name, strategies: [{ name: 'default' }] }] },
      }),
      givenActionPlace(server()).then((place) =>
        server().admin.call('POST /api/admin/projects/:projectId/actions', {
          params: { projectId: place.projectId },
          body: setBody(place, { name }),
        }),
      ),
      server().admin.call('POST /api/admin/features-batch/import', {
        body: { project: 'default', environment: 'development', data: { features: [], segments: [{ id: 1, name }] } },
      }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 400));
    expect((await server().admin.call('GET /api/admin/state')).text).not.toContain(name);
  });

  it('keeps the ids of strategies when others are added or removed, and orders them as desired', async () => {
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

  it('hides private projects', async () => {
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

  it('is read in a constant number of statements for any number of flags', async () => {
    const project = await givenProject(server());
    const statements = async () => {
      const { db, counter } = counted(server().app.database);
      await readAll(await stateText(db, { hidden: new Set(), can: () => true }, [project]));
      return counter.statements;
    };
    await givenFlag(server(), {}, project);
    const withOneFlag = await statements();
    for (let more = 0; more < 5; more++) await givenFlag(server(), {}, project);
    expect(await statements()).toBe(withOneFlag);
  });

  it('is read page by page while the answer is sent, and is complete', async () => {
    const projects = [await givenProject(server()), await givenProject(server()), await givenProject(server())];
    const flags = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}-${n}`, { type: 'release' }]));
    const [first, empty, last] = projects as [string, string, string];
    const desired = { [first]: { flags: flags(first, 130) }, [empty]: {}, [last]: { flags: flags(last, 80) } };
    const body = { state: { version: 1, projects: desired } };
    expect((await server().admin.call('POST /api/admin/state/apply', { body })).status).toBe(200);

    const { json } = await server().admin.call('GET /api/admin/state', { query: { projects: projects.join(',') } });
    const read = Object.entries(json.projects as Record<string, { flags: object }>);
    expect(read.map(([id, project]) => [id, Object.keys(project.flags)])).toEqual(
      projects.toSorted().map((id) => [id, Object.keys(desired[id]?.flags ?? {}).toSorted()]),
    );

    const { db, counter } = counted(server().app.database);
    const pieces = await stateText(db, { hidden: new Set(), can: () => true }, projects);
    const before = counter.statements;
    await readAll(pieces);
    // Each of the three pages of 100 flags takes ten statements, which run only when the answer is read.
    expect(counter.statements - before).toBe(3 * 10);
  });
});

async function readAll(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
