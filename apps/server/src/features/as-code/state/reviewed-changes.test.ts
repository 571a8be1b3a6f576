import { describe, expect, it } from 'vitest';
import { givenCaller, givenMember, givenRole } from '#testing/access.ts';
import { givenPlace, givenReview, readRequest, setRequestState } from '#testing/change-requests.ts';
import { addStrategy, freshName, givenFlag } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const flagRoute = '/api/admin/projects/:projectId/features/:featureName';

describe('a state whose changes are reviewed', () => {
  const server = useServer();
  type Place = Awaited<ReturnType<typeof givenPlace>>;

  const send = async ({ author }: Place, route: 'plan' | 'apply', state: object, more: object = {}) =>
    author.client.call(`POST /api/admin/state/${route}`, { body: { state, changeRequests: true, ...more } });
  const stateOf = ({ params: { projectId } }: Place, flags: object, more: object = {}) => ({
    version: 1,
    ...more,
    projects: { [projectId]: { flags } },
  });
  const exported = async ({ params: { projectId } }: Place) =>
    (await server().admin.call('GET /api/admin/state', { query: { projects: projectId } })).json;

  /** Approves and applies the requests of an answer. */
  async function accept(requests: readonly { id: number; project: string }[]) {
    for (const { id, project } of requests) {
      await setRequestState(server().admin, project, id, 'Approved');
      await setRequestState(server().admin, project, id, 'Applied');
    }
  }

  it('is applied where nothing is reviewed, requested elsewhere, and reached when the requests are applied', async () => {
    const place = await givenPlace(server());
    const { params } = place;
    const { projectId, featureName } = params;
    const kept = await addStrategy(server(), params, { name: 'default' });
    await addStrategy(server(), params, {
      name: 'flexibleRollout',
      parameters: { rollout: '10', stickiness: 'default' },
    });
    const parent = (await givenFlag(server(), {}, projectId)).featureName;
    const created = freshName('created');
    const segment = freshName('segment');
    const variants = [{ name: 'blue', weight: 1000 }];
    const state = stateOf(
      place,
      {
        [featureName]: {
          description: 'Of the state',
          dependsOn: parent,
          environments: {
            development: {
              enabled: true,
              variants,
              strategies: [
                { name: 'default', title: 'Changed', segments: [segment] },
                { name: 'userWithId', parameters: { userIds: 'a,b' }, variants },
              ],
            },
            production: { strategies: [{ name: 'default' }] },
          },
        },
        [parent]: {},
        [created]: { environments: { development: { enabled: true } } },
      },
      { segments: { [segment]: { project: projectId, constraints: [] } } },
    );
    const planned = await send(place, 'plan', state);
    expect(planned.json).toMatchObject({
      errors: [],
      permissions: [],
      changeRequests: [{ environment: 'development' }],
    });
    const { status, json } = await send(place, 'apply', state, { fingerprint: planned.json.fingerprint });
    expect([status, json]).toEqual([200, expect.anything()]);
    expect(new Set(json.changes.map(({ type }: { type: string }) => type))).toEqual(
      new Set(['segment-created', 'feature-created', 'feature-metadata-updated', 'feature-strategy-add']),
    );
    const { development, production } = (await exported(place)).projects[projectId].flags[featureName].environments;
    expect([development.enabled, production.strategies]).toMatchObject([false, [{ name: 'default' }]]);
    const request = await readRequest(server(), projectId, json.changeRequests[0].id);
    expect(request).toMatchObject({ title: 'State as code', state: 'In review' });
    expect(request.features.find(({ name }: { name: string }) => name === featureName).changes).toMatchObject([
      { action: 'updateStrategy', payload: { id: kept } },
      { action: 'addStrategy' },
      { action: 'deleteStrategy' },
      { action: 'patchVariant' },
      { action: 'updateEnabled' },
      { action: 'addDependency', payload: { feature: parent } },
    ]);
    await accept(json.changeRequests);
    expect((await send(place, 'plan', state)).json.changes).toEqual([]);
  });

  it('is requested once: the same state again, and a draft of the author, change nothing', async () => {
    const place = await givenPlace(server());
    const { projectId, featureName, environment } = place.params;
    const draft = await place.author.client.call(
      'POST /api/admin/projects/:projectId/environments/:environment/change-requests',
      {
        params: { projectId, environment },
        body: { action: 'addStrategy', feature: featureName, payload: { name: 'default' } },
      },
    );
    const state = stateOf(place, { [featureName]: { environments: { development: { enabled: true } } } });
    const [first, second] = [await send(place, 'apply', state), await send(place, 'apply', state)];
    const [{ id }] = first.json.changeRequests;
    expect(id).not.toBe(draft.json.id);
    expect(second.json.changeRequests).toEqual([{ ...first.json.changeRequests[0], isNew: false }]);
    const read = 'GET /api/admin/projects/:projectId/change-requests/:id';
    const kept = await place.author.client.call(read, { params: { projectId, id: draft.json.id } });
    expect(kept.json).toMatchObject({ state: 'Draft', features: [{ changes: [{ action: 'addStrategy' }] }] });
    // Its request would conflict with this change, so it is replaced.
    await addStrategy(server(), place.params, { name: 'userWithId', parameters: { userIds: 'a' } });
    expect((await send(place, 'apply', state)).json.changeRequests).toMatchObject([{ isNew: true }]);
    expect((await readRequest(server(), projectId, id)).state).toBe('Cancelled');
  });

  it('archives by a request, children before parents, and only where review is required', async () => {
    const place = await givenPlace(server());
    const { projectId, featureName: parent } = place.params;
    const child = await givenFlag(server(), {}, projectId);
    await server().admin.call(`POST ${flagRoute}/dependencies`, { params: { ...child }, body: { feature: parent } });
    const { status, json } = await send(place, 'apply', stateOf(place, {}), { prune: true });
    expect([status, json.changes]).toEqual([200, []]);
    const request = await readRequest(server(), projectId, json.changeRequests[0].id);
    expect(request.features.map(({ name }: { name: string }) => name).toSorted()).toEqual(
      [child.featureName, parent].toSorted(),
    );
    await accept(json.changeRequests);
    expect((await exported(place)).projects[projectId].flags).toEqual({});
  });

  it('is refused whole when it changes what cannot be requested, when permissions are missing, or without the option', async () => {
    const place = await givenPlace(server());
    const { projectId, featureName } = place.params;
    await givenReview(server(), projectId, 'production');
    const switched = { [featureName]: { environments: { development: { enabled: true } } } };
    const without = { version: 1, projects: { [projectId]: { environments: ['development'], flags: switched } } };
    const permissions = [{ name: 'UPDATE_PROJECT' }];
    const { id } = await givenRole(server(), { permissions });
    const changer = { ...place, author: await givenMember(server(), projectId, id) };
    const before = await lastEventId(server());
    const refused = await send(changer, 'apply', without);
    expect([refused.status, refused.json.message]).toEqual([403, expect.stringContaining('SKIP_CHANGE_REQUEST')]);
    const planned = await send(changer, 'plan', without);
    expect(planned.json.permissions).toEqual([
      { message: expect.stringContaining(`SKIP_CHANGE_REQUEST in ${projectId}, production`), names: [projectId] },
    ]);
    const switching = stateOf(place, switched);
    expect((await send(place, 'apply', switching, { changeRequests: false })).status).toBe(403);
    expect((await send(place, 'apply', switching, { fingerprint: 'another' })).status).toBe(409);
    expect(await eventsAfter(server(), before)).toEqual([]);
  });

  it('needs the own permission of what affects all environments, also when it is requested', async () => {
    const place = await givenPlace(server());
    const { projectId, featureName } = place.params;
    const parent = (await givenFlag(server(), {}, projectId)).featureName;
    const segment = await givenSegment(server(), { project: projectId });
    const viewer = { ...place, author: await givenCaller(server()) };
    const missing = async (state: object, more: object = {}) => {
      const { json } = await send(viewer, 'plan', state, more);
      expect((await send(viewer, 'apply', state, more)).status).toBe(403);
      return json.permissions;
    };
    const message = (permission: string) => expect.stringContaining(`${permission} in ${projectId}`);
    expect(await missing(stateOf(place, { [parent]: {} }), { prune: true })).toEqual([
      { message: message('DELETE_FEATURE'), names: [featureName] },
    ]);
    expect(await missing(stateOf(place, { [featureName]: { dependsOn: parent } }))).toEqual([
      { message: message('UPDATE_FEATURE_DEPENDENCY'), names: [featureName] },
    ]);
    const segments = { [segment.name]: { constraints: [] } };
    expect(await missing(stateOf(place, {}, { segments }))).toEqual([
      { message: message('UPDATE_PROJECT_SEGMENT'), names: [segment.name] },
    ]);
  });
});
