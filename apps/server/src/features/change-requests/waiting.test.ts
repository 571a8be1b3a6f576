import { describe, expect, it } from 'vitest';
import { givenMember } from '../../../testing/access.ts';
import {
  ask,
  bring,
  type GivenRequest,
  givenDraft,
  givenPlace,
  givenSent,
  switchingOn,
} from '../../../testing/change-requests.ts';
import type { ApiClient } from '../../../testing/client.ts';
import { addStrategy, givenProject } from '../../../testing/flags.ts';
import { goodPassword, logIn } from '../../../testing/people.ts';
import { givenSegment } from '../../../testing/segments.ts';
import { useServer } from '../../../testing/server.ts';

const inProject = '/api/admin/projects/:projectId/change-requests' as const;
const ownerRole = 4;

describe('the number of change requests that wait for somebody', () => {
  const server = useServer({ strategyLimit: 1 });
  const waiting = async (client: ApiClient, { at: { projectId } }: GivenRequest) =>
    (await client.call(`GET ${inProject}/actionable`, { params: { projectId } })).json.total;

  it('counts a draft to its author alone', async () => {
    const request = await givenDraft(server());
    expect(await waiting(request.author.client, request)).toBe(1);
    expect(await waiting(server().admin, request)).toBe(0);
  });

  it('counts what is in review to who may approve it, until they have', async () => {
    const request = await givenSent(server(), 2);
    const owner = await givenMember(server(), request.at.projectId, ownerRole);
    expect(await waiting(request.author.client, request)).toBe(0);
    expect(await waiting(owner.client, request)).toBe(1);
    await bring(owner.client, request.at.projectId, request.id, 'Approved');
    expect(await waiting(owner.client, request)).toBe(0);
    expect(await waiting(server().admin, request)).toBe(1);
  });

  it('does not count what is in review to its author, who may approve the requests of others', async () => {
    const { params } = await givenPlace(server());
    const owner = await givenMember(server(), params.projectId, ownerRole);
    const { id } = await ask(owner.client, params, switchingOn(params));
    await bring(owner.client, params.projectId, id, 'In review');
    expect(await waiting(owner.client, { at: { projectId: params.projectId, id } } as GivenRequest)).toBe(0);
  });

  it('counts what is approved to who may apply it, not while it is scheduled, and again when that has failed', async () => {
    const request = await givenSent(server(), 1, async ({ params }) => ({
      action: 'addStrategy',
      feature: params.featureName,
      payload: { name: 'default' },
    }));
    const { projectId, id } = request.at;
    await bring(server().admin, projectId, id, 'Approved');
    expect(await waiting(request.author.client, request)).toBe(0);
    expect(await waiting(server().admin, request)).toBe(1);
    const scheduledAt = new Date(server().clock.now() + 60_000).toISOString();
    await bring(server().admin, projectId, id, 'Scheduled', { scheduledAt });
    expect(await waiting(server().admin, request)).toBe(0);
    await addStrategy(server(), request.params, { name: 'default' });
    server().clock.advance(60_000);
    await server().app.service.schedules.runDue();
    expect(await waiting(server().admin, request)).toBe(1);
  });
});

describe('a draft', () => {
  const server = useServer();

  it('holds each strategy that is asked for, also of the same flag', async () => {
    const { params, author } = await givenPlace(server());
    const adding = (title: string) => ({
      action: 'addStrategy',
      feature: params.featureName,
      payload: { name: 'default', title },
    });
    await ask(author.client, params, adding('first'));
    const { features } = await ask(author.client, params, [adding('second'), adding('third')]);
    const titles = features[0].changes.map(({ payload }: { payload: { title: string } }) => payload.title);
    expect(titles).toEqual(['first', 'second', 'third']);
  });

  it('is one for each author, project and environment', async () => {
    const { params, author } = await givenPlace(server());
    const another = await givenMember(server(), params.projectId, 5);
    const { id } = await ask(author.client, params, switchingOn(params));
    const inProduction = { ...params, environment: 'production' };
    expect((await ask(author.client, params, switchingOn(params))).id).toBe(id);
    expect((await ask(author.client, inProduction, switchingOn(params))).id).not.toBe(id);
    expect((await ask(another.client, params, switchingOn(params))).id).not.toBe(id);

    const elsewhere = await givenPlace(server());
    const here = await ask(server().admin, params, switchingOn(params));
    const there = await ask(server().admin, elsewhere.params, switchingOn(elsewhere.params));
    expect([here.project, there.project]).toEqual([params.projectId, elsewhere.params.projectId]);
    expect(there.features).toHaveLength(1);
  });
});

describe('a draft of many changes', () => {
  const server = useServer({ strategyLimit: 1000 });

  it('holds 250, and no more', async () => {
    const { params, author } = await givenPlace(server());
    const feature = params.featureName;
    const adding = (count: number) =>
      Array.from({ length: count }, () => ({ action: 'addStrategy', feature, payload: { name: 'default' } }));
    await ask(author.client, params, [...adding(124), switchingOn(params)]);
    await ask(author.client, params, adding(125));
    const route = 'POST /api/admin/projects/:projectId/environments/:environment/change-requests' as const;
    const refused = await author.client.call(route, { params, body: adding(1) });
    expect([refused.status, refused.json.name]).toEqual([400, 'ExceedsLimitError']);
    // A change in the place of an earlier one is none more.
    const { features } = await ask(author.client, params, switchingOn(params));
    expect(features[0].changes).toHaveLength(250);
  });
});

describe('a draft of a token', () => {
  const server = useServer({ adminPassword: goodPassword });

  it('is not that of a person with the name of the token', async () => {
    const { params } = await givenPlace(server());
    const headers = await logIn(server().nobody, { username: 'admin', password: goodPassword });
    const route = 'POST /api/admin/projects/:projectId/environments/:environment/change-requests' as const;
    const own = await server().nobody.call(route, { params, body: switchingOn(params), headers });
    expect([own.status, own.json.createdBy.username]).toEqual([200, 'admin']);
    const ofToken = await ask(server().admin, params, switchingOn(params));
    expect([ofToken.createdBy.username, ofToken.id === own.json.id]).toEqual(['admin', false]);
  });
});

describe('a change request', () => {
  const server = useServer();
  const approvers = `${inProject}/:id/approvers` as const;

  it('is in review again when a change is taken out of what was approved', async () => {
    const { at, author, changeIds } = await givenSent(server(), 1, async ({ params }) => [
      switchingOn(params),
      { action: 'addStrategy', feature: params.featureName, payload: { name: 'default' } },
    ]);
    await bring(server().admin, at.projectId, at.id, 'Approved');
    const params = { projectId: at.projectId, changeRequestId: at.id, changeId: changeIds[0] ?? 0 };
    expect(
      (await author.client.call(`DELETE ${inProject}/:changeRequestId/changes/:changeId`, { params })).status,
    ).toBe(200);
    const { json } = await server().admin.call(`GET ${inProject}/:id`, { params: at });
    expect([json.state, json.approvals, json.features[0].changes.length]).toEqual(['In review', [], 1]);
  });

  it('keeps its changes, and who is asked to approve it, from others than its author', async () => {
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

  it('is cancelled by its author and by administrators, and by nobody else', async () => {
    const { at } = await givenSent(server());
    const owner = await givenMember(server(), at.projectId, ownerRole);
    const cancel = { params: at, body: { state: 'Cancelled' } };
    expect((await owner.client.call(`PUT ${inProject}/:id/state`, cancel)).status).toBe(403);
    expect((await server().admin.call(`PUT ${inProject}/:id/state`, cancel)).status).toBe(200);
  });

  it('is rejected also when it is approved or scheduled', async () => {
    for (const states of [['Approved'], ['Approved', 'Scheduled']]) {
      const { at } = await givenSent(server());
      const scheduledAt = new Date(server().clock.now() + 60_000).toISOString();
      for (const state of states)
        await bring(server().admin, at.projectId, at.id, state, state === 'Scheduled' ? { scheduledAt } : {});
      await bring(server().admin, at.projectId, at.id, 'Rejected');
      server().clock.advance(60_000);
      expect(await server().app.service.schedules.runDue()).toBe(0);
    }
  });

  it('asks those to approve it that were named last', async () => {
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

  it('tells no title of a scheduled request for the same segment in another project', async () => {
    const { params } = await givenPlace(server(), 0);
    const segment = await givenSegment(server());
    const other = await givenProject(server());
    const change = { action: 'updateSegment', payload: { id: segment.id, name: segment.name, constraints: [] } };
    const elsewhere = { ...params, projectId: other };
    const { id } = await ask(server().admin, elsewhere, change);
    const at = { projectId: other, id };
    await server().admin.call(`PUT ${inProject}/:id/title`, { params: at, body: { title: 'Secret plan' } });
    await bring(server().admin, other, id, 'In review');
    const scheduledAt = new Date(server().clock.now() + 60_000).toISOString();
    await bring(server().admin, other, id, 'Scheduled', { scheduledAt });
    const asked = await ask(server().admin, params, change);
    expect(asked.segments[0].scheduleConflicts.changeRequests).toMatchObject([{ id }]);
    expect(JSON.stringify(asked)).not.toContain('Secret plan');
    const same = await ask(server().admin, elsewhere, change);
    expect(JSON.stringify(same)).toContain('Secret plan');
  });
});
