import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenMember } from '#testing/access.ts';
import { givenReview } from '#testing/change-requests.ts';
import { givenContextField } from '#testing/context-fields.ts';
import { freshName, givenFlag, givenProject } from '#testing/flags.ts';
import { type GivenSegment, givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const plan = 'POST /api/admin/state/plan';
const apply = 'POST /api/admin/state/apply';
const memberRole = 5;
const nowhere = 'nowhere';

/** Returns a request with a state of these fields. */
const saying = (state: object) => ({ body: { state: { version: 1, ...state } } });

describe('state as code for users outside a private project', () => {
  const server = useServer();
  let priv: string;
  let own: string;
  let field: string;
  let segment: GivenSegment;
  let inside: Caller;
  let callers: readonly (readonly [string, Caller])[];

  beforeAll(async () => {
    priv = await givenProject(server(), { mode: 'private' });
    own = await givenProject(server());
    segment = await givenSegment(server(), { project: priv, description: 'of the segment' });
    const legalValues = [{ value: 'secret-value' }];
    field = await givenContextField(server(), { project: priv, description: 'of the field', legalValues });
    inside = await givenMember(server(), priv, memberRole);
    callers = [
      ['a Viewer', await givenCaller(server())],
      ['an Editor', await givenCaller(server(), 'Editor')],
      ['a Member of another project', await givenMember(server(), own, memberRole)],
    ];
  });

  /** Returns the entities of the project as administrators see them. */
  async function there() {
    const [segmentCall, fieldCall] = [{ params: { id: segment.id } }, { params: { contextField: field } }];
    return [
      (await server().admin.call('GET /api/admin/segments/:id', segmentCall)).json,
      (await server().admin.call('GET /api/admin/context/:contextField', fieldCall)).json,
    ];
  }

  const changing = () =>
    saying({
      segments: { [segment.name]: { constraints: [] } },
      contextFields: { [field]: { description: 'Mine', legalValues: [] } },
    });

  it('leaves a flag of the project alone that a request archives, as if there were no such flag', async () => {
    const { featureName } = await givenFlag(server(), {}, priv);
    for (const [who, { client }] of callers) {
      const { status, json } = await client.call(plan, { body: { state: { version: 1 }, archive: [featureName] } });
      expect([who, status, json.changes, json.permissions, json.errors]).toEqual([who, 200, [], [], []]);
    }
    const { json } = await inside.client.call(plan, { body: { state: { version: 1 }, archive: [featureName] } });
    expect(json.changes).toMatchObject([{ type: 'feature-archived', project: priv }]);
  });

  it('reveals only that the names of its segments and context fields are reserved', async () => {
    for (const [who, { client }] of callers) {
      const { status, json, text } = await client.call(plan, changing());
      expect([who, status, json.changes, json.permissions]).toEqual([who, 200, [], []]);
      expect(json.errors).toEqual([
        { path: `contextFields.${field}`, message: `the name ${field} is reserved: choose another` },
        { path: `segments.${segment.name}`, message: `the name ${segment.name} is reserved: choose another` },
      ]);
      for (const secret of [priv, 'of the', 'secret-value', 'NO']) expect(text).not.toContain(secret);
    }
    const { json } = await inside.client.call(plan, changing());
    expect(json.changes).toMatchObject([
      { type: 'context-field-updated', project: priv, fields: [{ before: 'of the field' }, { field: 'legalValues' }] },
      { type: 'segment-updated', project: priv, fields: [{ field: 'constraints' }] },
    ]);
    expect(json.errors).toEqual([]);
  });

  it('cannot change them or move them to all projects', async () => {
    const before = await there();
    const states = [
      { segments: { [segment.name]: { constraints: [] } } },
      { segments: { [segment.name]: { project: null, constraints: [] } } },
      { segments: { [segment.name]: { project: priv, constraints: [] } } },
      { contextFields: { [field]: { description: 'Mine', legalValues: [] } } },
      { contextFields: { [field]: { project: priv, description: 'Mine' } } },
    ];
    for (const [who, { client }] of callers) {
      for (const state of states) {
        const { status, text } = await client.call(apply, saying(state));
        expect([who, state, status]).toEqual([who, state, 400]);
        expect(text).toContain('is reserved: choose another');
      }
    }
    expect(await there()).toEqual(before);
  });

  it('cannot move a segment out of it', async () => {
    const before = await there();
    for (const [who, { client }] of callers) {
      // The hidden segment is answered like an unknown one, which cannot be created without constraints.
      const answers = [segment.name, freshName('absent')].map(async (name) => {
        const { status, json } = await client.call(apply, saying({ segments: { [name]: { project: own } } }));
        return [who, status, JSON.stringify(json.details).replaceAll(name, 'NAME')];
      });
      const [moved, absent] = await Promise.all(answers);
      expect(moved).toEqual(absent);
      expect(moved).toEqual([who, 400, expect.stringContaining('is required for a new segment')]);
      const whole = { [segment.name]: { project: own, constraints: [] } };
      expect([who, (await client.call(apply, saying({ segments: whole }))).status]).toEqual([who, 400]);
    }
    expect(await there()).toEqual(before);
  });

  it('answers a new entity in it like one of an unknown project', async () => {
    const states = (project: string) => [
      { segments: { 'a-new-segment': { project, constraints: [] } } },
      { contextFields: { 'a-new-field': { project } } },
    ];
    for (const [who, { client }] of callers) {
      for (const index of [0, 1]) {
        const ask = (route: typeof plan | typeof apply, project: string) =>
          client.call(route, saying(states(project)[index] ?? {}));
        const [hidden, unknown] = [await ask(plan, priv), await ask(plan, nowhere)];
        expect([who, JSON.parse(hidden.text.replaceAll(priv, nowhere))]).toEqual([who, unknown.json]);
        expect(hidden.json.errors).toMatchObject([{ message: `there is no project ${priv}` }]);
        expect([who, (await ask(apply, priv)).status]).toEqual([who, 400]);
      }
    }
    expect((await inside.client.call(plan, saying(states(priv)[0] ?? {}))).json.errors).toEqual([]);
  });

  it('answers a move of a segment into it like a move to an unknown project, reviewed or not', async () => {
    await givenReview(server(), priv);
    const { name } = await givenSegment(server());
    for (const [who, { client }] of callers) {
      const ask = (project: string) => client.call(plan, saying({ segments: { [name]: { project } } }));
      const [hidden, unknown] = [await ask(priv), await ask(nowhere)];
      expect([who, JSON.parse(hidden.text.replaceAll(priv, nowhere))]).toEqual([who, unknown.json]);
      expect(hidden.json.errors).toMatchObject([{ message: `there is no project ${priv}` }]);
    }
  });

  it('treats its segments as unknown when a flag uses them', async () => {
    const [, editor] = callers[1] ?? [];
    const { projectId, featureName } = await givenFlag(server());
    const using = (name: string) => {
      const environments = { development: { strategies: [{ name: 'default', segments: [name] }] } };
      return saying({ projects: { [projectId]: { flags: { [featureName]: { environments } } } } });
    };
    const [hidden, unknown] = [
      await editor?.client.call(plan, using(segment.name)),
      await editor?.client.call(plan, using(nowhere)),
    ];
    expect(hidden?.json.errors).toMatchObject([{ message: expect.stringContaining('there is no segment named') }]);
    expect(hidden?.text.replaceAll(segment.name, nowhere)).toBe(unknown?.text);
  });
});

describe('moving a segment by state', () => {
  const server = useServer();

  it.each(['all projects', 'another project'])('away from %s needs the permission for both', async (from) => {
    const [own, other] = [await givenProject(server()), await givenProject(server())];
    const { client } = await givenMember(server(), own, memberRole);
    const { id, name } = await givenSegment(server(), from === 'another project' ? { project: other } : {});
    const body = { name, project: own, constraints: [] };
    const direct = await client.call('PUT /api/admin/segments/:id', { params: { id }, body });
    expect(direct.status).toBe(403);
    const planned = await client.call(plan, saying({ segments: { [name]: { project: own } } }));
    expect(planned.json).toMatchObject({
      changes: [{ type: 'segment-updated', project: own }],
      permissions: [{ message: expect.stringContaining('UPDATE_SEGMENT'), names: [name] }],
    });
    const applied = await client.call(apply, saying({ segments: { [name]: { project: own } } }));
    expect(applied.status).toBe(403);
    expect(applied.json.permissions).toEqual(direct.json.permissions);
    const keepExisting = await server().admin.call('GET /api/admin/segments/:id', { params: { id } });
    expect(keepExisting.json.project).toBe(from === 'another project' ? other : null);
  });

  it('is made between projects that the caller may change', async () => {
    const [own, other] = [await givenProject(server()), await givenProject(server())];
    const { client } = await givenCaller(server(), 'Editor');
    const { id, name } = await givenSegment(server(), { project: other });
    for (const project of [own, null]) {
      expect((await client.call(apply, saying({ segments: { [name]: { project } } }))).status).toBe(200);
      const { json } = await server().admin.call('GET /api/admin/segments/:id', { params: { id } });
      expect(json.project).toBe(project);
    }
  });
});

describe('a new segment', () => {
  const server = useServer();

  it('needs constraints', async () => {
    const { json } = await server().admin.call(plan, saying({ segments: { nowhere: { description: 'x' } } }));
    expect(json.errors).toEqual([{ path: 'segments.nowhere.constraints', message: 'is required for a new segment' }]);
  });
});

describe('limits', () => {
  const server = useServer({ segmentLimit: 1 });

  it('count entities of hidden projects', async () => {
    await givenSegment(server(), { project: await givenProject(server(), { mode: 'private' }) });
    const { client } = await givenCaller(server(), 'Editor');
    const { json } = await client.call(plan, saying({ segments: { [freshName('segment')]: { constraints: [] } } }));
    expect(json.errors).toMatchObject([{ message: 'the limit of 1 segments would be exceeded' }]);
  });
});
