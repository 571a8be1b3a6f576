import { describe, expect, it } from 'vitest';
import { givenDraft, readRequest, requestChanges, setRequestState, switchingOn } from '#testing/change-requests.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { changeRequestScenarios } from './change-requests.scenarios.ts';

describe('change request routes', () => testScenarios(useServer(), changeRequestScenarios));

describe('a flag', () => {
  const server = useServer();

  it('lists the open requests that change it in an environment; drafts only for their author', async () => {
    const { author, params, id } = await givenDraft(server());
    const { projectId } = params;
    const route = 'GET /api/admin/projects/:projectId/features/:featureName' as const;
    const seenBy = async (client: typeof author.client) => {
      const { json } = await client.call(route, { params });
      return json.environments.map((environment: { changeRequestIds: number[] }) => environment.changeRequestIds);
    };
    expect(await seenBy(author.client)).toEqual([[id], []]);
    expect(await seenBy(server().admin)).toEqual([[], []]);

    await setRequestState(author.client, projectId, id, 'In review');
    const strategy = { action: 'addStrategy', feature: params.featureName, payload: { name: 'default' } };
    const inProduction = { ...params, environment: 'production' };
    const other = await requestChanges(server().admin, inProduction, [switchingOn(params), strategy]);
    expect(await seenBy(server().admin)).toEqual([[id], [other.id]]);
    const { json } = await server().admin.call(`${route}/environments/:environment`, { params: inProduction });
    expect(json.changeRequestIds).toEqual([other.id]);

    await setRequestState(server().admin, projectId, id, 'Rejected');
    await setRequestState(server().admin, projectId, other.id, 'Cancelled');
    expect((await readRequest(server(), projectId, other.id)).state).toBe('Cancelled');
    expect(await seenBy(server().admin)).toEqual([[], []]);
  });
});
