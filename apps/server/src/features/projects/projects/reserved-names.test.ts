import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenMember } from '#testing/access.ts';
import { givenContextField } from '#testing/context-fields.ts';
import { addStrategy, givenArchived, givenFlag, givenProject, switchFlag } from '#testing/flags.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const memberRole = 5;
const environment = 'development';

describe('names of a private project', () => {
  const server = useServer();
  let secret: string;
  let flag: string;
  let archived: string;
  let segment: string;
  let field: string;
  let inside: Caller;
  let editor: Caller;

  beforeAll(async () => {
    secret = await givenProject(server(), { mode: 'private' });
    flag = (await givenFlag(server(), {}, secret)).featureName;
    archived = (await givenArchived(server(), secret)).featureName;
    segment = (await givenSegment(server(), { project: secret })).name;
    field = await givenContextField(server(), { project: secret });
    inside = await givenMember(server(), secret, memberRole);
    editor = await givenCaller(server(), 'Editor');
  });

  /** The requests that take a name: route, body and name. */
  const ways = () =>
    [
      ['POST /api/admin/projects/:projectId/features', { name: flag }, flag],
      ['POST /api/admin/projects/:projectId/features', { name: archived }, archived],
      ['POST /api/admin/features/validate', { name: flag }, flag],
      ['POST /api/admin/features/validate', { name: archived }, archived],
      ['POST /api/admin/segments', { name: segment, constraints: [] }, segment],
      ['POST /api/admin/segments/validate', { name: segment }, segment],
      ['POST /api/admin/context', { name: field }, field],
      ['POST /api/admin/context/validate', { name: field }, field],
      ['POST /api/admin/projects/:projectId/context', { name: field }, field],
      ['POST /api/admin/projects/:projectId/context/validate', { name: field }, field],
      ['POST /api/admin/projects', { id: secret, name: 'Mine' }, secret],
      ['POST /api/admin/projects/validate', { id: secret }, secret],
    ] as const;

  it('are reserved, and the error does not reveal the owner of the name', async () => {
    for (const [route, body, name] of ways()) {
      const { status, json } = await editor.client.call(route, { params: { projectId: 'default' }, body });
      expect([route, status, json.message]).toEqual([route, 409, `The name ${name} is reserved. Choose another name.`]);
      expect([route, json.details]).toMatchObject([route, [{ message: 'is reserved' }]]);
    }
  });

  it('are reserved for clones and renames too', async () => {
    const { featureName } = await givenFlag(server());
    const clone = await editor.client.call('POST /api/admin/projects/:projectId/features/:featureName/clone', {
      params: { projectId: 'default', featureName },
      body: { name: archived },
    });
    const { id } = await givenSegment(server());
    const renamed = await editor.client.call('PUT /api/admin/segments/:id', {
      params: { id },
      body: { name: segment, constraints: [] },
    });
    for (const { status, json } of [clone, renamed])
      expect([status, json.message]).toEqual([409, expect.stringContaining('is reserved')]);
  });

  it('are explained in the error to accounts that see the project', async () => {
    const { json } = await inside.client.call('POST /api/admin/features/validate', { body: { name: archived } });
    expect(json.message).toContain('An archived flag is named');
    const taken = await server().admin.call('POST /api/admin/segments/validate', { body: { name: segment } });
    expect(taken.json.message).toContain('exists already');
  });

  it('are reserved in state as code', async () => {
    const state = {
      version: 1,
      segments: { [segment]: { constraints: [] } },
      contextFields: { [field]: {} },
      projects: { default: { flags: { [flag]: {} } } },
    };
    const { json } = await editor.client.call('POST /api/admin/state/plan', { body: { state } });
    const messages = json.errors.map(({ message }: { message: string }) => message);
    expect(messages.toSorted()).toEqual(
      [field, flag, segment].map((name) => `the name ${name} is reserved: choose another`).toSorted(),
    );
  });

  it('are not counted as uses of a segment, a context field or an environment', async () => {
    const { id, name } = await givenSegment(server());
    const contextField = await givenContextField(server());
    const counts = async ({ client }: Pick<Caller, 'client'>) => {
      const listed = (await client.call('GET /api/admin/segments')).json.segments as { id: number }[];
      const fields = (await client.call('GET /api/admin/context')).json as { name: string }[];
      const environments = (await client.call('GET /api/admin/environments')).json.environments as { name: string }[];
      const used = ({ usedInFeatures, usedInProjects }: Record<string, number>) => [usedInFeatures, usedInProjects];
      const inUse = ({ projectCount, enabledToggleCount, apiTokenCount }: Record<string, number>) => [
        projectCount,
        enabledToggleCount,
        apiTokenCount,
      ];
      return {
        used: [
          listed.find((candidate) => candidate.id === id) as never,
          (await client.call('GET /api/admin/segments/:id', { params: { id } })).json,
          fields.find((candidate) => candidate.name === contextField) as never,
          (await client.call('GET /api/admin/context/:contextField', { params: { contextField } })).json,
        ].map(used),
        inUse: [
          environments.find((candidate) => candidate.name === environment) as never,
          (await client.call('GET /api/admin/environments/:name', { params: { name: environment } })).json,
        ].map(inUse),
      };
    };
    const before = [await counts(editor), await counts({ client: server().admin })] as const;
    const projectId = await givenProject(server(), { mode: 'private' });
    const { featureName } = await givenFlag(server(), {}, projectId);
    const constraints = [{ contextName: contextField, operator: 'IN', values: ['x'] }];
    const params = { projectId, featureName, environment };
    await addStrategy(server(), params, { name: 'flexibleRollout', segments: [id], constraints });
    await switchFlag(server(), params, 'on');
    await givenToken(server(), { projects: [projectId], environment });
    expect(await counts(editor)).toEqual(before[0]);
    const all = await counts({ client: server().admin });
    expect(all.used).toEqual(before[1].used.map(([features = 0, projects = 0]) => [features + 1, projects + 1]));
    expect(all.inUse).toEqual(before[1].inUse.map((some) => some.map((n = 0) => n + 1)));
    const refused = await editor.client.call('DELETE /api/admin/segments/:id', { params: { id } });
    expect(refused.json.message).toBe(
      `The segment ${name} is used by strategies of others in projects that you cannot see. Remove it from these strategies first, also from those of archived flags, and those in environments that were removed from the project.`,
    );
  });
});
