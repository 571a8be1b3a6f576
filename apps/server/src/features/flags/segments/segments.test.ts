import { describe, expect, it } from 'vitest';
import { givenCaller, givenMember } from '#testing/access.ts';
import { freshName, givenProject, givenStrategy } from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { counted } from '#testing/statements.ts';
import { presentSegments } from './present-with-uses.ts';
import { segmentScenarios } from './segments.scenarios.ts';
import { listSegments } from './store.ts';

describe('segment routes', () => testScenarios(useServer(), segmentScenarios));

describe('the project field of a segment', () => {
  const server = useServer();
  const create = 'POST /api/admin/segments';
  const update = 'PUT /api/admin/segments/:id';
  const memberRole = 5;

  it('gets the same error for a hidden project as for a missing project', async () => {
    const { admin } = server();
    const hidden = await givenProject(server(), { mode: 'private' });
    const own = await givenProject(server());
    const { id, name } = await givenSegment(server(), { project: own });
    const taken = (await givenSegment(server())).name;
    const wrong = [{ contextName: 'x', operator: 'NUM_EQ', value: 'y' }];
    const bodies = [{ name }, { name: taken }, { name, constraints: wrong }];
    const callers = [
      ['a Viewer', await givenCaller(server()), 403],
      ['an Editor', await givenCaller(server(), 'Editor'), 400],
      ['a Member', await givenMember(server(), own, memberRole), 403],
    ] as const;
    for (const [who, { client }, status] of callers) {
      for (const body of bodies) {
        for (const route of [create, update] as const) {
          const ask = (project: string) =>
            client.call(route, { params: { id }, body: { constraints: [], ...body, project } });
          const [hiddenReply, unknownReply] = [await ask(hidden), await ask('nowhere')];
          expect([who, route, hiddenReply.status]).toEqual([who, route, status]);
          const untold = ({ id: _, ...rest }: { id: string }) => JSON.stringify(rest).replaceAll(hidden, 'nowhere');
          expect(untold(hiddenReply.json)).toBe(untold(unknownReply.json));
          if (status === 400) expect(hiddenReply.json.details).toMatchObject([{ path: 'project' }]);
        }
      }
    }
    const stored = await admin.call('GET /api/admin/segments/:id', { params: { id } });
    expect(stored.json.project).toBe(own);
  });

  it('can be omitted by callers without permission for shared segments', async () => {
    const own = await givenProject(server());
    const { id, name } = await givenSegment(server(), { project: own });
    const { client } = await givenMember(server(), own, memberRole);
    const body = { name, constraints: [] };
    expect((await client.call(update, { params: { id }, body })).status).toBe(204);
    expect((await client.call(update, { params: { id }, body: { ...body, project: null } })).status).toBe(403);
  });
});

describe('a list of segments', () => {
  const server = useServer();

  it('takes as many statements for many segments as for one', async () => {
    const listed = async () => {
      const { db, counter } = counted(server().app.database);
      const segments = await presentSegments(db, listSegments(db), { hidden: new Set() });
      return { used: segments.filter(({ usedInFeatures }) => usedInFeatures === 1).length, ...counter };
    };
    const add = async () => givenStrategy(server(), { name: 'default', segments: [(await givenSegment(server())).id] });
    await add();
    expect(await listed()).toEqual({ used: 1, statements: 2 });
    for (let more = 0; more < 5; more++) await add();
    expect(await listed()).toEqual({ used: 6, statements: 2 });
  });
});

describe('limits of segments', () => {
  const server = useServer({
    segmentLimit: 2,
    segmentValuesLimit: 6,
    constraintLimit: 2,
    constraintValuesLimit: 4,
  });
  const values = (count: number) => Array.from({ length: count }, (_, n) => `v${n}`);
  const constraint = (count: number) => ({ contextName: 'field', operator: 'IN', values: values(count) });
  const put = (id: number, ...constraints: object[]) =>
    server().admin.call('PUT /api/admin/segments/:id', { params: { id }, body: { name: freshName('s'), constraints } });

  it('count the values over all constraints of a segment', async () => {
    const { id } = await givenSegment(server());
    expect((await put(id, constraint(6))).status).toBe(204);
    expect((await put(id, constraint(3), constraint(3))).status).toBe(204);
    const refused = await put(id, constraint(3), constraint(4));
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ name: 'ExceedsLimitError', details: [{ path: 'constraints' }] });
  });

  it('apply to the constraints of a segment', async () => {
    const { id } = await givenSegment(server());
    expect((await put(id, constraint(1), constraint(1))).status).toBe(204);
    const refused = await put(id, constraint(1), constraint(1), constraint(1));
    expect(refused.json).toMatchObject({ name: 'ExceedsLimitError', details: [{ path: 'constraints' }] });
  });

  it('apply to the segments of the instance', async () => {
    const body = { name: freshName('segment'), constraints: [] };
    const refused = await server().admin.call('POST /api/admin/segments', { body });
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ name: 'ExceedsLimitError', message: expect.stringContaining('2') });
    const { json } = await server().admin.call('GET /api/admin/segments');
    expect(json.segments).toHaveLength(2);
    const [{ id }] = json.segments;
    expect((await server().admin.call('DELETE /api/admin/segments/:id', { params: { id } })).status).toBe(204);
    expect((await server().admin.call('POST /api/admin/segments', { body })).status).toBe(201);
  });
});
