import { expect, it } from 'vitest';
import { givenMember } from '../../../testing/access.ts';
import { bring, givenSent, readRequest } from '../../../testing/change-requests.ts';
import { useServer } from '../../../testing/server.ts';

const server = useServer();
const ownerRole = 4;

it('a rejection takes the place of an approval by the same person, and an approval that of a rejection', async () => {
  const { at } = await givenSent(server(), 2);
  const reviewer = await givenMember(server(), at.projectId, ownerRole);
  const who = async () => {
    const { approvals, rejections, state } = await readRequest(server(), at.projectId, at.id);
    const names = (list: { createdBy: { id: number } }[]) => list.map(({ createdBy }) => createdBy.id);
    return { state, approvals: names(approvals), rejections: names(rejections) };
  };
  await bring(reviewer.client, at.projectId, at.id, 'Approved');
  expect(await who()).toEqual({ state: 'In review', approvals: [reviewer.id], rejections: [] });
  await bring(reviewer.client, at.projectId, at.id, 'Rejected');
  expect(await who()).toEqual({ state: 'Rejected', approvals: [], rejections: [reviewer.id] });
});
