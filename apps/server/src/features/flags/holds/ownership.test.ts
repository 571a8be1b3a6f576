import { describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenMember, givenRole, giveRoles } from '#testing/access.ts';
import { givenReview } from '#testing/change-requests.ts';
import { type FlagEnvironmentParams, givenEnabled, givenProject } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const holdsPath = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/leases' as const;
const [memberRole, ownerRole] = [5, 4];

describe('a hold of a person', () => {
  const server = useServer();
  const place = ({ client }: Pick<Caller, 'client'>, params: FlagEnvironmentParams, body: object) =>
    client.call(`POST ${holdsPath}`, { params, body });
  const release = ({ client }: Pick<Caller, 'client'>, params: FlagEnvironmentParams, leaseId: number) =>
    client.call(`DELETE ${holdsPath}/:leaseId`, { params: { ...params, leaseId } });
  const inAnHour = () => new Date(server().clock.now() + 3_600_000).toISOString();
  const inTwoHours = () => new Date(server().clock.now() + 7_200_000).toISOString();

  /** Creates a flag that a member of its project holds off for an hour. */
  async function given({ reviewed }: { readonly reviewed: boolean }) {
    const projectId = await givenProject(server());
    const params = await givenEnabled(server(), projectId);
    if (reviewed) await givenReview(server(), projectId);
    const holder = await givenMember(server(), projectId, memberRole);
    const held = await place(holder, params, { effect: 'off', key: 'incident', expiresAt: inAnHour() });
    expect(held.status).toBe(201);
    return { projectId, params, holder, id: held.json.id as number };
  }

  it('cannot be released, shortened or replaced by others where changes are reviewed', async () => {
    const { projectId, params, id } = await given({ reviewed: true });
    const others = [await givenMember(server(), projectId, memberRole), await givenCaller(server(), 'Editor')];
    const before = await lastEventId(server());
    for (const other of others) {
      const soon = new Date(server().clock.now() + 60_000).toISOString();
      const replies = [
        await release(other, params, id),
        await place(other, params, { effect: 'off', key: 'incident', expiresAt: soon }),
        await place(other, params, { effect: 'rollout', rollout: 1, key: 'incident' }),
        await place(other, params, { effect: 'on', key: 'incident' }),
      ];
      for (const { status, json } of replies)
        expect([status, json.permissions]).toEqual([403, ['SKIP_CHANGE_REQUEST']]);
    }
    expect(await eventsAfter(server(), before)).toEqual([]);
  });

  it('at a percentage cannot be replaced by others with off', async () => {
    const { projectId, params } = await given({ reviewed: true });
    const [owner, other] = [
      await givenMember(server(), projectId, ownerRole),
      await givenMember(server(), projectId, memberRole),
    ];
    expect((await place(owner, params, { effect: 'rollout', rollout: 5, key: 'canary' })).status).toBe(201);
    expect((await place(other, params, { effect: 'off', key: 'canary' })).status).toBe(403);
    // Everyone who may switch the flag may place a hold under another key.
    expect((await place(other, params, { effect: 'off', key: 'another' })).status).toBe(201);
  });

  it('at a percentage cannot be changed to another percentage by others', async () => {
    const { projectId, params } = await given({ reviewed: true });
    const [owner, other] = [
      await givenMember(server(), projectId, ownerRole),
      await givenMember(server(), projectId, memberRole),
    ];
    expect((await place(owner, params, { effect: 'rollout', rollout: 50, key: 'canary' })).status).toBe(201);
    for (const rollout of [1, 99])
      expect((await place(other, params, { effect: 'rollout', rollout, key: 'canary' })).status).toBe(403);
    expect((await place(owner, params, { effect: 'rollout', rollout: 60, key: 'canary' })).status).toBe(200);
  });

  it('can be released by everyone who may switch the flag when only another environment is reviewed', async () => {
    const { projectId, params, id } = await given({ reviewed: false });
    await givenReview(server(), projectId, 'production');
    expect((await release(await givenMember(server(), projectId, memberRole), params, id)).status).toBe(200);
  });

  it('cannot be released by a member who may skip review in another environment only', async () => {
    const { projectId, params, id } = await given({ reviewed: true });
    const inEnvironment = (environment: string) =>
      givenRole(server(), { permissions: [{ name: 'SKIP_CHANGE_REQUEST', environment }] });
    const other = await givenMember(server(), projectId, memberRole);
    const give = async (environment: string) =>
      giveRoles(server(), projectId, [memberRole, (await inEnvironment(environment)).id], { users: [other.id] });
    await give('production');
    expect((await release(other, params, id)).status).toBe(403);
    await give('development');
    expect((await release(other, params, id)).status).toBe(200);
  });

  it('can be shortened and released by its holder', async () => {
    const { params, holder, id } = await given({ reviewed: true });
    const soon = new Date(server().clock.now() + 60_000).toISOString();
    expect((await place(holder, params, { effect: 'off', key: 'incident', expiresAt: soon })).status).toBe(200);
    expect((await release(holder, params, id)).status).toBe(200);
  });

  it('can be released by its holder beside the hold of another, which the holder cannot release', async () => {
    const { projectId, params, id } = await given({ reviewed: true });
    const other = await givenMember(server(), projectId, memberRole);
    const { json } = await place(other, params, { effect: 'off', key: 'another' });
    expect((await release(other, params, id)).status).toBe(403);
    expect((await release(other, params, json.id)).status).toBe(200);
  });

  it('can be replaced and released by members who may skip review in the environment', async () => {
    const { projectId, params, id } = await given({ reviewed: true });
    const owner = await givenMember(server(), projectId, ownerRole);
    expect((await place(owner, params, { effect: 'on', key: 'incident' })).status).toBe(200);
    expect((await release(owner, params, id)).status).toBe(200);
  });

  it('can be extended by everyone who may switch the flag, and keeps its holder', async () => {
    const { projectId, params, holder } = await given({ reviewed: true });
    const other = await givenMember(server(), projectId, memberRole);
    const extended = await place(other, params, { effect: 'off', key: 'incident', expiresAt: inTwoHours() });
    expect([extended.status, extended.json.heldBy]).toMatchObject([200, { userId: holder.id }]);
    expect((await place(other, params, { effect: 'off', key: 'incident' })).json).toMatchObject({ expiresAt: null });
    const shorter = await place(other, params, { effect: 'off', key: 'incident', expiresAt: inTwoHours() });
    expect(shorter.status).toBe(403);
  });

  it('can be replaced and released by everyone who may switch the flag when changes are not reviewed', async () => {
    const { params, id } = await given({ reviewed: false });
    const editor = await givenCaller(server(), 'Editor');
    expect((await place(editor, params, { effect: 'on', key: 'incident' })).status).toBe(200);
    expect((await release(editor, params, id)).status).toBe(200);
  });

  it('has the name of the token as its key when it was placed with an admin token', async () => {
    const { params } = await given({ reviewed: false });
    const held = await place({ client: server().admin }, params, { effect: 'off' });
    expect([held.status, held.json.heldBy.key]).toEqual([201, held.json.heldBy.name]);
    expect((await place({ client: server().admin }, params, { effect: 'off' })).json.id).toBe(held.json.id);
  });

  it("can have a key that only resembles another user's key", async () => {
    const { params, holder } = await given({ reviewed: false });
    const editor = await givenCaller(server(), 'Editor');
    for (const key of [`user:${holder.id}-incident`, `not-user:${holder.id}`, 'user:somebody']) {
      const held = await place(editor, params, { effect: 'off', key });
      expect([held.status, held.json.heldBy?.key]).toEqual([201, key]);
    }
  });

  it('can have the key user:<id> only of the user with that id', async () => {
    const { params, holder } = await given({ reviewed: false });
    const editor = await givenCaller(server(), 'Editor');
    const before = await lastEventId(server());
    for (const other of [editor, { client: server().admin }]) {
      const reply = await place(other, params, { effect: 'off', key: `user:${holder.id}` });
      expect([reply.status, reply.json.details]).toMatchObject([403, [{ path: 'key' }]]);
    }
    expect(await eventsAfter(server(), before)).toEqual([]);
    const own = await place(holder, params, { effect: 'off', key: `user:${holder.id}` });
    expect([own.status, own.json.heldBy.key]).toEqual([201, `user:${holder.id}`]);
    expect((await place(holder, params, { effect: 'off' })).json.id).toBe(own.json.id);
  });
});
