import { describe, expect, it } from 'vitest';
import { givenMember, givenRole, giveRoles, setRootRole } from '#testing/access.ts';
import { type GivenSet, givenActionPlace, givenSet, signal, turning } from '#testing/actions.ts';
import { author } from '#testing/database.ts';
import { givenProject } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000 });
const roles = { Editor: 2, Viewer: 3 };
const memberRole = 5;
const now = 'GET /api/admin/now';

type Shown = { readonly id: number; readonly blocked: object | null };

/** Returns how a set is shown as blocked: in its project, in the list of all projects, and on Now. */
async function shown({ projectId, id }: Pick<GivenSet, 'projectId' | 'id'>, client = server().admin) {
  const ofProject = await client.call('GET /api/admin/projects/:projectId/actions', { params: { projectId } });
  const all = await client.call('GET /api/admin/actions', { query: { limit: 1000 } });
  const { blocked } = (await client.call(now)).json;
  return [
    ...[ofProject, all].map(({ json }) => json.actions.find((set: Shown) => set.id === id)?.blocked),
    blocked.find(({ actionSetId }: { actionSetId: number }) => actionSetId === id) ?? null,
  ];
}

async function told(before: number) {
  const events = await eventsAfter(server(), before);
  return events.filter(({ type }) => type.startsWith('action-set-'));
}

describe('an action set whose service account lacks a right', () => {
  it('is told with the change of the role, once, and again when the right is back', async () => {
    const set = await givenSet(server());
    const before = await lastEventId(server());
    await setRootRole(server(), set.actorId, roles.Viewer);
    await signal(server(), set);
    await signal(server(), set);
    const data = { actionSetId: set.id, reason: expect.stringContaining('UPDATE_FEATURE_ENVIRONMENT in development') };
    expect(await told(before)).toMatchObject([
      { type: 'action-set-blocked', project: set.projectId, outcome: 'failure', data },
    ]);
    await setRootRole(server(), set.actorId, roles.Editor);
    expect((await told(before)).slice(1)).toMatchObject([
      { type: 'action-set-unblocked', data: { actionSetId: set.id, blockedSince: expect.any(String) } },
    ]);
  });

  it('is no longer told of when the set is disabled', async () => {
    const set = await givenSet(server());
    await setRootRole(server(), set.actorId, roles.Viewer);
    const before = await lastEventId(server());
    const params = { projectId: set.projectId, id: set.id };
    await server().admin.call('POST /api/admin/projects/:projectId/actions/:id/off', { params });
    expect(await told(before)).toMatchObject([
      { type: 'action-set-unblocked', data: { reason: 'The set was disabled or deleted.' } },
    ]);
  });

  it('is told by the first failed run when no change of rights was seen, as after an upgrade', async () => {
    const place = await givenActionPlace(server());
    const set = await givenSet(server(), {}, place);
    await setRootRole(server(), set.actorId, roles.Viewer);
    await server().app.database.writeQuietly('jobs', author, async (tx) => {
      await tx.db.deleteFrom('blocked_action_sets').execute();
    });
    const before = await lastEventId(server());
    await signal(server(), set);
    await signal(server(), set);
    expect(await told(before)).toMatchObject([{ type: 'action-set-blocked', data: { actionSetId: set.id } }]);
  });

  it('is shown with what it lacks and what to do, in its project, among all sets and on Now', async () => {
    const set = await givenSet(server(), { name: 'Roll back' });
    expect(await shown(set)).toEqual([null, null, null]);
    await setRootRole(server(), set.actorId, roles.Viewer);
    const blocked = {
      reason: expect.stringMatching(
        /^The service account \S+ lacks the permission UPDATE_FEATURE_ENVIRONMENT in development\. Give it a role /,
      ),
      blockedSince: new Date(server().clock.now()).toISOString(),
    };
    const { id: actionSetId, projectId: project } = set;
    expect(await shown(set)).toEqual([blocked, blocked, { ...blocked, actionSetId, project, name: 'Roll back' }]);
    await setRootRole(server(), set.actorId, roles.Editor);
    expect(await shown(set)).toEqual([null, null, null]);
  });

  it('is shown with the right that is missing now, and since the first one was missing', async () => {
    const place = await givenActionPlace(server());
    const { projectId: project, actorId, flag } = place;
    const { featureName } = flag;
    const tagging = { action: 'ADD_TAG', sortOrder: 2, executionParams: { project, featureName, tag: 'simple:a' } };
    const set = await givenSet(server(), { actions: [turning('ON', project, featureName), tagging] }, place);
    await setRootRole(server(), actorId, roles.Viewer);
    const blockedSince = new Date(server().clock.now()).toISOString();
    const before = await lastEventId(server());
    server().clock.advance(60_000);
    const permissions = [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' }];
    const role = await givenRole(server(), { permissions });
    await giveRoles(server(), project, [role.id], { users: [actorId] });
    const reason = expect.stringContaining('lacks the permission UPDATE_FEATURE.');
    const blocked = expect.objectContaining({ reason, blockedSince });
    expect(await shown(set)).toEqual([blocked, blocked, blocked]);
    expect(await told(before)).toEqual([]);
  });

  it('is not shown to callers who may not read the actions of its project', async () => {
    const set = await givenSet(server());
    await setRootRole(server(), set.actorId, roles.Viewer);
    const viewer = server().client(await server().tokenOf('viewer'));
    expect((await viewer.call(now)).json.blocked).toBeNull();
    const { client } = await givenMember(server(), await givenProject(server()), memberRole);
    const { blocked } = (await client.call(now)).json;
    expect(blocked.map(({ project }: { project: string }) => project)).not.toContain(set.projectId);
  });

  it('is not told of in shadow mode', async () => {
    const set = await givenSet(server(), { shadow: true });
    const before = await lastEventId(server());
    await setRootRole(server(), set.actorId, roles.Viewer);
    expect(await told(before)).toEqual([]);
  });
});
