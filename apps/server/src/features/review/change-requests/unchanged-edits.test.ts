import { describe, expect, it } from 'vitest';
import { type GivenRequest, givenApproved, readRequest, switchingOn } from '#testing/change-requests.ts';
import { useServer } from '#testing/server.ts';

describe('editing the change of an approved request', () => {
  const server = useServer();

  async function edit({ at, changeIds, author }: GivenRequest, body: object) {
    const params = { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 };
    const reply = await author.client.call(
      'PUT /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId',
      { params, body },
    );
    expect(reply.status).toBe(200);
    const { state, features } = await readRequest(server(), at.projectId, at.id);
    return [state, features[0].changes[0].payload];
  }
  const adding = (feature: string, rollout: string) => ({
    action: 'addStrategy',
    feature,
    payload: { name: 'flexibleRollout', parameters: { rollout, stickiness: 'default', groupId: feature } },
  });

  it('restarts the review when the payload differs and the state that it replaces does not', async () => {
    const request = await givenApproved(server(), 1, async ({ params }) => adding(params.featureName, '10'));
    const { featureName } = request.params;
    expect(await edit(request, adding(featureName, '10'))).toMatchObject([
      'Approved',
      { parameters: { rollout: '10' } },
    ]);
    expect(await edit(request, adding(featureName, '20'))).toMatchObject([
      'In review',
      { parameters: { rollout: '20' } },
    ]);
  });

  it('restarts the review when the state that it replaces differs and the payload does not', async () => {
    const request = await givenApproved(server());
    const { projectId, environment } = request.params;
    const body = { name: 'default', title: 'changed meanwhile' };
    const route = 'POST /api/admin/projects/:projectId/environments/:environment/default-strategy';
    expect((await server().admin.call(route, { params: { projectId, environment }, body })).status).toBe(200);
    expect(await edit(request, switchingOn(request.params))).toMatchObject(['In review', { enabled: true }]);
  });
});
