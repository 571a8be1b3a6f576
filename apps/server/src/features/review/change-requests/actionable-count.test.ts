import { describe, expect, it } from 'vitest';
import { givenMember } from '#testing/access.ts';
import {
  type GivenRequest,
  givenDraft,
  givenPlace,
  givenSent,
  requestChanges,
  setRequestState,
  switchingOn,
} from '#testing/change-requests.ts';
import type { ApiClient } from '#testing/client.ts';
import { addStrategy, givenProject } from '#testing/flags.ts';
import { goodPassword, logIn } from '#testing/people.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const inProject = '/api/admin/projects/:projectId/change-requests' as const;
const ownerRole = 4;

describe('GET /api/admin/projects/:projectId/change-requests/actionable', () => {
  const server = useServer({ strategyLimit: 1 });
  const actionable = async (client: ApiClient, { at: { projectId } }: GivenRequest) =>
    (await client.call(`GET ${inProject}/actionable`, { params: { projectId } })).json.total;

  it('counts a draft only for its author', async () => {
    const request = await givenDraft(server());
    expect(await actionable(request.author.client, request)).toBe(1);
    expect(await actionable(server().admin, request)).toBe(0);
  });

  it('counts a request in review for accounts that may approve it, until they have', async () => {
    const request = await givenSent(server(), 2);
    const owner = await givenMember(server(), request.at.projectId, ownerRole);
    expect(await actionable(request.author.client, request)).toBe(0);
    expect(await actionable(owner.client, request)).toBe(1);
    await setRequestState(owner.client, request.at.projectId, request.id, 'Approved');
    expect(await actionable(owner.client, request)).toBe(0);
    expect(await actionable(server().admin, request)).toBe(1);
  });

  it('does not count a request in review for its author', async () => {
    const { params } = await givenPlace(server());
    const owner = await givenMember(server(), params.projectId, ownerRole);
    const { id } = await requestChanges(owner.client, params, switchingOn(params));
    await setRequestState(owner.client, params.projectId, id, 'In review');
    expect(await actionable(owner.client, { at: { projectId: params.projectId, id } } as GivenRequest)).toBe(0);
  });

  it('counts an approved request for accounts that may apply it, not while scheduled, and again after the schedule failed', async () => {
    const request = await givenSent(server(), 1, async ({ params }) => ({
      action: 'addStrategy',
      feature: params.featureName,
      payload: { name: 'default' },
    }));
    const { projectId, id } = request.at;
    await setRequestState(server().admin, projectId, id, 'Approved');
    expect(await actionable(request.author.client, request)).toBe(0);
    expect(await actionable(server().admin, request)).toBe(1);
    const scheduledAt = new Date(server().clock.now() + 60_000).toISOString();
    await setRequestState(server().admin, projectId, id, 'Scheduled', { scheduledAt });
    expect(await actionable(server().admin, request)).toBe(0);
    await addStrategy(server(), request.params, { name: 'default' });
    server().clock.advance(60_000);
    await server().app.service.schedules.runDue();
    expect(await actionable(server().admin, request)).toBe(1);
  });
});

describe('a draft', () => {
  const server = useServer();

  it('keeps every added strategy, also of the same flag', async () => {
    const { params, author } = await givenPlace(server());
    const adding = (title: string) => ({
      action: 'addStrategy',
      feature: params.featureName,
      payload: { name: 'default', title },
    });
    await requestChanges(author.client, params, adding('first'));
    const { features } = await requestChanges(author.client, params, [adding('second'), adding('third')]);
    const titles = features[0].changes.map(({ payload }: { payload: { title: string } }) => payload.title);
    expect(titles).toEqual(['first', 'second', 'third']);
  });

  it('exists once per author, project and environment', async () => {
    const { params, author } = await givenPlace(server());
    const another = await givenMember(server(), params.projectId, 5);
    const { id } = await requestChanges(author.client, params, switchingOn(params));
    const inProduction = { ...params, environment: 'production' };
    expect((await requestChanges(author.client, params, switchingOn(params))).id).toBe(id);
    expect((await requestChanges(author.client, inProduction, switchingOn(params))).id).not.toBe(id);
    expect((await requestChanges(another.client, params, switchingOn(params))).id).not.toBe(id);

    const elsewhere = await givenPlace(server());
    const here = await requestChanges(server().admin, params, switchingOn(params));
    const there = await requestChanges(server().admin, elsewhere.params, switchingOn(elsewhere.params));
    expect([here.project, there.project]).toEqual([params.projectId, elsewhere.params.projectId]);
    expect(there.features).toHaveLength(1);
  });
});

describe('a draft of many changes', () => {
  const server = useServer({ strategyLimit: 1000 });

  it('holds at most 250 changes', async () => {
    const { params, author } = await givenPlace(server());
    const feature = params.featureName;
    const adding = (count: number) =>
      Array.from({ length: count }, () => ({ action: 'addStrategy', feature, payload: { name: 'default' } }));
    await requestChanges(author.client, params, [...adding(124), switchingOn(params)]);
    await requestChanges(author.client, params, adding(125));
    const route = 'POST /api/admin/projects/:projectId/environments/:environment/change-requests' as const;
    const refused = await author.client.call(route, { params, body: adding(1) });
    expect([refused.status, refused.json.name]).toEqual([400, 'ExceedsLimitError']);
    // Replacing an earlier change does not count against the limit.
    const { features } = await requestChanges(author.client, params, switchingOn(params));
    expect(features[0].changes).toHaveLength(250);
  });
});

describe('a draft of a token', () => {
  const server = useServer({ adminPassword: goodPassword });

  it('is separate from the draft of a user with the same name', async () => {
    const { params } = await givenPlace(server());
    const headers = await logIn(server().anonymous, { username: 'admin', password: goodPassword });
    const route = 'POST /api/admin/projects/:projectId/environments/:environment/change-requests' as const;
    const own = await server().anonymous.call(route, { params, body: switchingOn(params), headers });
    expect([own.status, own.json.createdBy.username]).toEqual([200, 'admin']);
    const tokenDraft = await requestChanges(server().admin, params, switchingOn(params));
    expect([tokenDraft.createdBy.username, tokenDraft.id === own.json.id]).toEqual(['admin', false]);
  });
});

describe('a change request', () => {
  const server = useServer();
  const approvers = `${inProject}/:id/approvers` as const;

  it('returns to review when a change is removed after approval', async () => {
    const { at, author, changeIds } = await givenSent(server(), 1, async ({ params }) => [
      switchingOn(params),
      { action: 'addStrategy', feature: params.featureName, payload: { name: 'default' } },
    ]);
    await setRequestState(server().admin, at.projectId, at.id, 'Approved');
    const params = { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 };
    expect(
      (await author.client.call(`DELETE ${inProject}/:changeRequestId/changes/:changeId`, { params })).status,
    ).toBe(200);
    const { json } = await server().admin.call(`GET ${inProject}/:id`, { params: at });
    expect([json.state, json.approvals, json.features[0].changes.length]).toEqual(['In review', [], 1]);
  });

  it('lets only its author change it or its approvers', async () => {
    const { at, changeIds } = await givenSent(server());
    const owner = await givenMember(server(), at.projectId, ownerRole);
    const params = { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 };
    const replies = [
      await owner.client.call(`DELETE ${inProject}/:changeRequestId/changes/:changeId`, { params }),
      await owner.client.call(`PUT ${approvers}`, { params: at, body: { reviewers: [owner.id] } }),
      await owner.client.call(`DELETE ${inProject}/:id`, { params: at }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  it('can be cancelled only by its author and administrators', async () => {
    const { at } = await givenSent(server());
    const owner = await givenMember(server(), at.projectId, ownerRole);
    const cancel = { params: at, body: { state: 'Cancelled' } };
    expect((await owner.client.call(`PUT ${inProject}/:id/state`, cancel)).status).toBe(403);
    expect((await server().admin.call(`PUT ${inProject}/:id/state`, cancel)).status).toBe(200);
  });

  it('can be rejected when it is approved or scheduled', async () => {
    for (const states of [['Approved'], ['Approved', 'Scheduled']]) {
      const { at } = await givenSent(server());
      const scheduledAt = new Date(server().clock.now() + 60_000).toISOString();
      for (const state of states)
        await setRequestState(server().admin, at.projectId, at.id, state, state === 'Scheduled' ? { scheduledAt } : {});
      await setRequestState(server().admin, at.projectId, at.id, 'Rejected');
      server().clock.advance(60_000);
      expect(await server().app.service.schedules.runDue()).toBe(0);
    }
  });

  it('keeps only the approvers that were set last', async () => {
    const { at, author } = await givenSent(server());
    const people = [
      await givenMember(server(), at.projectId, ownerRole),
      await givenMember(server(), at.projectId, ownerRole),
    ];
    const [first = 0, second = 0] = people.map(({ id }) => id);
    for (const reviewers of [[first], [second, first], [second]]) {
      expect((await author.client.call(`PUT ${approvers}`, { params: at, body: { reviewers } })).status).toBe(204);
      const { json } = await author.client.call(`GET ${approvers}`, { params: at });
      expect(json.map(({ id }: { id: number }) => id).toSorted()).toEqual(reviewers.toSorted());
    }
  });

  it('hides the title of a conflicting scheduled request of another project', async () => {
    const { params } = await givenPlace(server(), 0);
    const segment = await givenSegment(server());
    const other = await givenProject(server());
    const change = { action: 'updateSegment', payload: { id: segment.id, name: segment.name, constraints: [] } };
    const elsewhere = { ...params, projectId: other };
    const { id } = await requestChanges(server().admin, elsewhere, change);
    const at = { projectId: other, id };
    await server().admin.call(`PUT ${inProject}/:id/title`, { params: at, body: { title: 'Secret plan' } });
    await setRequestState(server().admin, other, id, 'In review');
    const scheduledAt = new Date(server().clock.now() + 60_000).toISOString();
    await setRequestState(server().admin, other, id, 'Scheduled', { scheduledAt });
    const shown = await requestChanges(server().admin, params, change);
    expect(shown.segments[0].scheduleConflicts.changeRequests).toMatchObject([{ id }]);
    expect(JSON.stringify(shown)).not.toContain('Secret plan');
    const same = await requestChanges(server().admin, elsewhere, change);
    expect(JSON.stringify(same)).toContain('Secret plan');
  });
});
