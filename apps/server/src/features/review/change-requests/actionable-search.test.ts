import { expect, it } from 'vitest';
import { givenCaller } from '#testing/access.ts';
import { givenApproved, givenDraft, givenSent, setRequestState } from '#testing/change-requests.ts';
import type { ApiClient } from '#testing/client.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();

/** Returns the ids and the total of the requests that the caller can act on. */
async function actionableFor(client: ApiClient, query: object = {}) {
  const reply = await client.call('GET /api/admin/search/change-requests', { query: { actionable: 'true', ...query } });
  expect(reply.status, reply.text).toBe(200);
  const { changeRequests, total } = reply.json as { changeRequests: { id: number }[]; total: number };
  return { ids: changeRequests.map(({ id }) => id), total };
}

it('the actionable search finds requests of all projects that the caller can approve or apply', async () => {
  await givenDraft(server());
  const sent = await givenSent(server());
  const approved = await givenApproved(server());
  const reviewer = await givenCaller(server(), 'Admin');
  expect(await actionableFor(reviewer.client)).toEqual({ ids: [approved.id, sent.id], total: 2 });
  expect(await actionableFor(reviewer.client, { limit: '1', offset: '1' })).toEqual({ ids: [sent.id], total: 2 });
  expect(await actionableFor(sent.author.client)).toEqual({ ids: [], total: 0 });
  expect(await actionableFor(server().client(await server().tokenOf('viewer')))).toEqual({ ids: [], total: 0 });
  await setRequestState(reviewer.client, sent.at.projectId, sent.id, 'Approved');
  await setRequestState(reviewer.client, approved.at.projectId, approved.id, 'Applied');
  expect(await actionableFor(reviewer.client)).toEqual({ ids: [sent.id], total: 1 });
});
