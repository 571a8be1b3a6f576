import { expect, it } from 'vitest';
import { givenMember } from '../../../testing/access.ts';
import { givenSent, readRequest, setRequestState } from '../../../testing/change-requests.ts';
import { useServer } from '../../../testing/server.ts';

const server = useServer();
const ownerRole = 4;

it('a rejection replaces an earlier approval of the same reviewer', async () => {
  const { at } = await givenSent(server(), 2);
  const reviewer = await givenMember(server(), at.projectId, ownerRole);
  const reviews = async () => {
    const { approvals, rejections, state } = await readRequest(server(), at.projectId, at.id);
    const names = (list: { createdBy: { id: number } }[]) => list.map(({ createdBy }) => createdBy.id);
    return { state, approvals: names(approvals), rejections: names(rejections) };
  };
  await setRequestState(reviewer.client, at.projectId, at.id, 'Approved');
  expect(await reviews()).toEqual({ state: 'In review', approvals: [reviewer.id], rejections: [] });
  await setRequestState(reviewer.client, at.projectId, at.id, 'Rejected');
  expect(await reviews()).toEqual({ state: 'Rejected', approvals: [], rejections: [reviewer.id] });
});
