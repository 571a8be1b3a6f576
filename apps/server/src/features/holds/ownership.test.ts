import { describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenMember, givenRole, giveRoles } from '../../../testing/access.ts';
import { givenReview } from '../../../testing/change-requests.ts';
import { type FlagEnvironmentParams, givenEnabled, givenProject } from '../../../testing/flags.ts';
import { eventsAfter, lastEventId } from '../../../testing/scenario.ts';
import { useServer } from '../../../testing/server.ts';

const leases = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/leases' as const;
const [memberRole, ownerRole] = [5, 4];

describe('a hold of a person', () => {
  const server = useServer();
  const place = ({ client }: Pick<Caller, 'client'>, params: FlagEnvironmentParams, body: object) =>
    client.call(`POST ${leases}`, { params, body });
  const release = ({ client }: Pick<Caller, 'client'>, params: FlagEnvironmentParams, leaseId: number) =>
    client.call(`DELETE ${leases}/:leaseId`, { params: { ...params, leaseId } });
  const inAnHour = () => new Date(server().clock.now() + 3_600_000).toISOString();
  const inTwoHours = () => new Date(server().clock.now() + 7_200_000).toISOString();

  /** A flag that a Member of its project holds off until an hour from now. */
  async function given({ reviewed }: { readonly reviewed: boolean }) {
    const projectId = await givenProject(server());
    const params = await givenEnabled(server(), projectId);
    if (reviewed) await givenReview(server(), projectId);
    const holder = await givenMember(server(), projectId, memberRole);
    const held = await place(holder, params, { effect: 'off', key: 'incident', expiresAt: inAnHour() });
    expect(held.status).toBe(201);
    return { projectId, params, holder, id: held.json.id as number };
  }

  it('where changes are reviewed is released, shortened and replaced by nobody else who only may switch the flag', async () => {
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

  it('that lets some have the flag is not replaced by one that holds it off', async () => {
    const { projectId, params } = await given({ reviewed: true });
    const [owner, other] = [
      await givenMember(server(), projectId, ownerRole),
      await givenMember(server(), projectId, memberRole),
    ];
    expect((await place(owner, params, { effect: 'rollout', rollout: 5, key: 'canary' })).status).toBe(201);
    expect((await place(other, params, { effect: 'off', key: 'canary' })).status).toBe(403);
    // A hold of their own is free to anybody who may switch the flag.
    expect((await place(other, params, { effect: 'off', key: 'another' })).status).toBe(201);
  });

  it('at a percentage is not given another percentage by others', async () => {
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

  it('is released by anybody who may switch the flag where only another environment is reviewed', async () => {
    const { projectId, params, id } = await given({ reviewed: false });
    await givenReview(server(), projectId, 'production');
    expect((await release(await givenMember(server(), projectId, memberRole), params, id)).status).toBe(200);
  });

  it('is not released by somebody who may skip review in another environment only', async () => {
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

  it('is released, shortened and replaced by whoever holds it', async () => {
    const { params, holder, id } = await given({ reviewed: true });
    const soon = new Date(server().clock.now() + 60_000).toISOString();
    expect((await place(holder, params, { effect: 'off', key: 'incident', expiresAt: soon })).status).toBe(200);
    expect((await release(holder, params, id)).status).toBe(200);
  });

  it('is released, shortened and replaced by whoever may skip review there', async () => {
    const { projectId, params, id } = await given({ reviewed: true });
    const owner = await givenMember(server(), projectId, ownerRole);
    expect((await place(owner, params, { effect: 'on', key: 'incident' })).status).toBe(200);
    expect((await release(owner, params, id)).status).toBe(200);
  });

  it('can be extended by anybody who may switch the flag, and stays the hold of its holder', async () => {
    const { projectId, params, holder } = await given({ reviewed: true });
    const other = await givenMember(server(), projectId, memberRole);
    const extended = await place(other, params, { effect: 'off', key: 'incident', expiresAt: inTwoHours() });
    expect([extended.status, extended.json.heldBy]).toMatchObject([200, { userId: holder.id }]);
    expect((await place(other, params, { effect: 'off', key: 'incident' })).json).toMatchObject({ expiresAt: null });
    const shorter = await place(other, params, { effect: 'off', key: 'incident', expiresAt: inTwoHours() });
    expect(shorter.status).toBe(403);
  });

  it('is released by anybody who may switch the flag where changes are not reviewed', async () => {
    const { params, id } = await given({ reviewed: false });
    const editor = await givenCaller(server(), 'Editor');
    expect((await place(editor, params, { effect: 'on', key: 'incident' })).status).toBe(200);
    expect((await release(editor, params, id)).status).toBe(200);
  });

  it('of a token without a user has the name of the token as its key', async () => {
    const { params } = await given({ reviewed: false });
    const held = await place({ client: server().admin }, params, { effect: 'off' });
    expect([held.status, held.json.heldBy.key]).toEqual([201, held.json.heldBy.name]);
    expect((await place({ client: server().admin }, params, { effect: 'off' })).json.id).toBe(held.json.id);
  });

  it('has any key that only looks like that of another user', async () => {
    const { params, holder } = await given({ reviewed: false });
    const editor = await givenCaller(server(), 'Editor');
    for (const key of [`user:${holder.id}-incident`, `not-user:${holder.id}`, 'user:somebody']) {
      const held = await place(editor, params, { effect: 'off', key });
      expect([held.status, held.json.heldBy?.key]).toEqual([201, key]);
    }
  });

  it('has a key user:<id> only of the user of that id', async () => {
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
