import { expect, it } from 'vitest';
import { givenCaller } from '../../../testing/access.ts';
import { bring, givenApproved, givenDraft, givenSent } from '../../../testing/change-requests.ts';
import type { ApiClient } from '../../../testing/client.ts';
import { useServer } from '../../../testing/server.ts';

const server = useServer();

/** Ids of the requests that wait for the caller, and how many there are. */
async function waitingFor(client: ApiClient, query: object = {}) {
  const reply = await client.call('GET /api/admin/search/change-requests', { query: { actionable: 'true', ...query } });
  expect(reply.status, reply.text).toBe(200);
  const { changeRequests, total } = reply.json as { changeRequests: { id: number }[]; total: number };
  return { ids: changeRequests.map(({ id }) => id), total };
}

it('the search for what is actionable finds what waits for the caller to approve or apply, in all projects', async () => {
  await givenDraft(server());
  const sent = await givenSent(server());
  const approved = await givenApproved(server());
  const reviewer = await givenCaller(server(), 'Admin');
  expect(await waitingFor(reviewer.client)).toEqual({ ids: [approved.id, sent.id], total: 2 });
  expect(await waitingFor(reviewer.client, { limit: '1', offset: '1' })).toEqual({ ids: [sent.id], total: 2 });
  expect(await waitingFor(sent.author.client)).toEqual({ ids: [], total: 0 });
  expect(await waitingFor(server().client(await server().tokenOf('viewer')))).toEqual({ ids: [], total: 0 });
  await bring(reviewer.client, sent.at.projectId, sent.id, 'Approved');
  await bring(reviewer.client, approved.at.projectId, approved.id, 'Applied');
  expect(await waitingFor(reviewer.client)).toEqual({ ids: [sent.id], total: 1 });
});
