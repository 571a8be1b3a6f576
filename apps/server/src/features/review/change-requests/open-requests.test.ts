import { describe, expect, it } from 'vitest';
import { givenCaller, givenMember } from '#testing/access.ts';
import {
  givenApproved,
  givenDraft,
  givenPlace,
  givenReview,
  givenSent,
  readRequest,
  requestChanges,
  setRequestState,
  switchingOn,
} from '#testing/change-requests.ts';
import { givenFlag, givenProject } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { counted } from '#testing/statements.ts';
import { presentRequests } from './present.ts';

describe('an open change request', () => {
  const server = useServer();
  const types = async (since: number) => (await eventsAfter(server(), since)).map(({ type }) => type);

  it('is cancelled when its environment is removed from the project', async () => {
    const { at } = await givenApproved(server());
    const before = await lastEventId(server());
    await server().admin.call('DELETE /api/admin/projects/:projectId/environments/:environment', {
      params: { projectId: at.projectId, environment: 'development' },
    });
    expect(await types(before)).toEqual(['project-environment-removed', 'change-request-cancelled']);
    expect((await readRequest(server(), at.projectId, at.id)).state).toBe('Cancelled');
  });

  it('stays open when another environment is removed, or the same environment from another project', async () => {
    const [here, elsewhere] = [await givenSent(server()), await givenPlace(server())];
    for (const params of [
      { projectId: here.at.projectId, environment: 'production' },
      { projectId: elsewhere.params.projectId, environment: 'development' },
    ])
      await server().admin.call('DELETE /api/admin/projects/:projectId/environments/:environment', { params });
    expect((await readRequest(server(), here.at.projectId, here.id)).state).toBe('In review');
  });

  it('is cancelled with the account of its author while it is a draft, and stays open once in review', async () => {
    const [draft, sent] = [await givenDraft(server()), await givenSent(server())];
    for (const { author } of [draft, sent]) {
      await server().admin.call('DELETE /api/admin/service-account/:id', { params: { id: author.id } });
    }
    expect((await readRequest(server(), draft.at.projectId, draft.id)).state).toBe('Cancelled');
    expect((await readRequest(server(), sent.at.projectId, sent.id)).state).toBe('In review');
  });

  it('returns to review or is approved when the number of required approvals changes', async () => {
    const { at } = await givenApproved(server());
    await givenReview(server(), at.projectId, 'development', 2);
    expect((await readRequest(server(), at.projectId, at.id)).state).toBe('In review');
    await givenReview(server(), at.projectId, 'development', 1);
    expect((await readRequest(server(), at.projectId, at.id)).state).toBe('Approved');
  });

  it('is approved when the environment that required more approvals is removed from the project', async () => {
    const request = await givenSent(server(), 1, async ({ params }) => {
      await givenReview(server(), params.projectId, 'production', 2);
      return { action: 'archiveFeature', feature: params.featureName };
    });
    const { projectId } = request.at;
    await setRequestState(server().admin, projectId, request.id, 'Approved');
    expect(await readRequest(server(), projectId, request.id)).toMatchObject({ state: 'In review', minApprovals: 2 });
    await server().admin.call('DELETE /api/admin/projects/:projectId/environments/:environment', {
      params: { projectId, environment: 'production' },
    });
    expect(await readRequest(server(), projectId, request.id)).toMatchObject({ state: 'Approved', minApprovals: 1 });
  });

  it('returns to review when a reviewed environment is added to the project', async () => {
    const { params, author } = await givenDraft(server(), 0);
    const at = { projectId: params.projectId, environment: 'production' };
    await givenReview(server(), params.projectId, 'production');
    await server().admin.call('DELETE /api/admin/projects/:projectId/environments/:environment', { params: at });
    const { id } = await requestChanges(author.client, params, {
      action: 'archiveFeature',
      feature: params.featureName,
    });
    await setRequestState(author.client, params.projectId, id, 'In review');
    expect((await readRequest(server(), params.projectId, id)).state).toBe('Approved');
    await server().admin.call('POST /api/admin/projects/:projectId/environments', {
      params: at,
      body: { environment: 'production' },
    });
    expect((await readRequest(server(), params.projectId, id)).state).toBe('In review');
  });

  it('answers the same 400 for moving a segment into a hidden project as into a missing project', async () => {
    const hidden = await givenProject(server(), { mode: 'private' });
    const { client } = await givenCaller(server(), 'Editor');
    const projectId = await givenProject(server());
    const { id, name } = await givenSegment(server());
    const move = async (project: string) => {
      const payload = { id, name, constraints: [], project };
      const params = { projectId, environment: 'development' };
      const route = 'POST /api/admin/projects/:projectId/environments/:environment/change-requests';
      const { status, json } = await client.call(route, { params, body: { action: 'updateSegment', payload } });
      return { status, message: json.message.replaceAll(project, '…') };
    };
    expect(await move(hidden)).toEqual(await move('nowhere'));
    expect((await move(hidden)).status).toBe(400);
  });

  it('that affects all environments needs the approvals of the strictest environment', async () => {
    const { params, author } = await givenDraft(server());
    await givenReview(server(), params.projectId, 'production', 3);
    const { projectId, featureName: feature } = params;
    const [{ featureName: parent }, { featureName: child }] = [
      await givenFlag(server(), {}, projectId),
      await givenFlag(server(), {}, projectId),
    ];
    await server().admin.call('POST /api/admin/projects/:projectId/features/:featureName/dependencies', {
      params: { projectId, featureName: child },
      body: { feature: parent },
    });
    const segment = await givenSegment(server(), { project: projectId });
    const unused = await givenSegment(server(), { project: projectId });
    const changes = [
      { action: 'archiveFeature', feature },
      { action: 'addDependency', feature, payload: { feature: parent } },
      { action: 'deleteDependency', feature: child },
      { action: 'updateSegment', payload: { ...segment, project: projectId, constraints: [] } },
      { action: 'deleteSegment', payload: { id: unused.id } },
    ];
    for (const change of changes) {
      const { client } = await givenMember(server(), projectId, 4);
      expect([change.action, (await requestChanges(client, params, change)).minApprovals]).toEqual([change.action, 3]);
    }
    expect((await requestChanges(author.client, params, switchingOn(params))).minApprovals).toBe(1);
  });

  it('for a shared segment needs the permission UPDATE_SEGMENT', async () => {
    const { params } = await givenPlace(server());
    const segment = await givenSegment(server());
    const owner = await givenMember(server(), params.projectId, 4);
    const refused = await owner.client.call(
      'POST /api/admin/projects/:projectId/environments/:environment/change-requests',
      { params, body: { action: 'updateSegment', payload: { ...segment, constraints: [] } } },
    );
    expect([refused.status, refused.json.permissions]).toEqual([403, ['UPDATE_SEGMENT']]);
  });

  it('is not found by accounts that may not see its project', async () => {
    const { at, author } = await givenSent(server());
    await server().admin.call('PUT /api/admin/projects/:projectId', {
      params: { projectId: at.projectId },
      body: { name: at.projectId, mode: 'private' },
    });
    const query = { createdBy: `IS:${author.id}` };
    const stranger = await givenCaller(server(), 'Editor');
    const search = 'GET /api/admin/search/change-requests';
    expect((await stranger.client.call(search, { query })).json).toEqual({ changeRequests: [], total: 0 });
    expect((await author.client.call(search, { query })).json.total).toBe(1);
    const show = 'GET /api/admin/projects/:projectId/change-requests/:id';
    expect((await stranger.client.call(show, { params: at })).status).toBe(404);
  });

  it('takes as many statements to show as six requests', async () => {
    const { at, params } = await givenSent(server());
    const ids = [at.id];
    for (let i = 0; i < 5; i++) {
      const { id } = await requestChanges(server().admin, params, switchingOn(params));
      await setRequestState(server().admin, at.projectId, id, 'In review');
      ids.push(id);
    }
    const { db, counter } = counted(server().app.database);
    await presentRequests(db, ids.slice(0, 1));
    const forOne = counter.statements;
    expect(await presentRequests(db, ids)).toHaveLength(6);
    expect(counter.statements - forOne).toBe(forOne);
  });
});
