import { givenCaller, givenMember } from '../../apps/server/testing/access.ts';
import { givenPlace, requestChanges, setRequestState, switchingOn } from '../../apps/server/testing/change-requests.ts';
import { givenFlag } from '../../apps/server/testing/flags.ts';
import { givenSegment } from '../../apps/server/testing/segments.ts';
import type { TestServer } from '../../apps/server/testing/server.ts';

const ownerRole = 4;

/**
 * Creates a project where changes are reviewed, and an administrator's draft there. Each call of the returned `grow`
 * adds changes, comments and reviewers to the draft, and another, scheduled request.
 */
export async function givenReviewed(server: TestServer) {
  const { params, author } = await givenPlace(server);
  const { projectId } = params;
  const { id: drafterId, client, token } = await givenCaller(server, 'Admin');
  const { id } = await requestChanges(client, params, switchingOn(params));
  const reviewers: number[] = [drafterId];
  const grow = async () => {
    const flag = await givenFlag(server, {}, projectId);
    const segment = await givenSegment(server, { project: projectId });
    await requestChanges(client, params, [
      switchingOn({ ...flag, environment: params.environment }),
      { action: 'addStrategy', feature: flag.featureName, payload: { name: 'default', segments: [segment.id] } },
      { action: 'updateSegment', payload: { id: segment.id, name: segment.name, constraints: [] } },
    ]);
    const at = { projectId, id };
    reviewers.push((await givenMember(server, projectId, ownerRole)).id);
    const approvers = { params: at, body: { reviewers } };
    accepted(await client.call('PUT /api/admin/projects/:projectId/change-requests/:id/approvers', approvers));
    const comment = { params: at, body: { text: 'Looks good' } };
    accepted(await client.call('POST /api/admin/projects/:projectId/change-requests/:id/comments', comment));

    const other = await requestChanges(author.client, params, switchingOn(params));
    await setRequestState(author.client, projectId, other.id, 'In review');
    await setRequestState(server.admin, projectId, other.id, 'Approved');
    const scheduledAt = new Date(server.clock.now() + 3_600_000).toISOString();
    await setRequestState(server.admin, projectId, other.id, 'Scheduled', { scheduledAt });
  };
  return { params: { ...params, id: String(id) }, headers: { authorization: token }, grow };
}

function accepted({ status, text }: { readonly status: number; readonly text: string }): void {
  if (status >= 300) throw new Error(`the request was answered ${status}: ${text}`);
}
