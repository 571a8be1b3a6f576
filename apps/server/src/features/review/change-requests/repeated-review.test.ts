import { expect, it } from 'vitest';
import { givenMember } from '#testing/access.ts';
import { type GivenRequest, givenSent, readRequest, setRequestState } from '#testing/change-requests.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const ownerRole = 4;

/** Returns the state of a request with the ids of its reviewers. */
async function reviewsOf(at: GivenRequest['at']) {
  const { approvals, rejections, state } = await readRequest(server(), at.projectId, at.id);
  const ids = (list: { createdBy: { id: number } }[]) => list.map(({ createdBy }) => createdBy.id);
  return { state, approvals: ids(approvals), rejections: ids(rejections) };
}

it('a rejection replaces an earlier approval of the same reviewer', async () => {
  const { at } = await givenSent(server(), 2);
  const reviewer = await givenMember(server(), at.projectId, ownerRole);
  await setRequestState(reviewer.client, at.projectId, at.id, 'Approved');
  expect(await reviewsOf(at)).toEqual({ state: 'In review', approvals: [reviewer.id], rejections: [] });
  await setRequestState(reviewer.client, at.projectId, at.id, 'Rejected');
  expect(await reviewsOf(at)).toEqual({ state: 'Rejected', approvals: [], rejections: [reviewer.id] });
});

it('two approvals of the same reviewer count as one', async () => {
  const { at } = await givenSent(server(), 2);
  const [first, second] = [
    await givenMember(server(), at.projectId, ownerRole),
    await givenMember(server(), at.projectId, ownerRole),
  ];
  for (let times = 0; times < 2; times++) {
    await setRequestState(first.client, at.projectId, at.id, 'Approved');
    expect(await reviewsOf(at)).toEqual({ state: 'In review', approvals: [first.id], rejections: [] });
  }
  await setRequestState(second.client, at.projectId, at.id, 'Approved');
  expect(await reviewsOf(at)).toEqual({ state: 'Approved', approvals: [first.id, second.id], rejections: [] });
});
