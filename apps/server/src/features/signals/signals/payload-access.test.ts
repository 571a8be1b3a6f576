import { describe, expect, it } from 'vitest';
import { ownerRoleId } from '#features/people/access/index.ts';
import { givenCaller, givenMember, givenRole } from '#testing/access.ts';
import type { ApiClient } from '#testing/client.ts';
import { givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { givenEndpoint, send } from '#testing/signals.ts';

describe('payloads of signals', () => {
  const server = useServer({ signalEndpointsLimit: 100 });
  const payload = { password: 'of-the-sender' };

  /** Sends a signal and returns it as this client sees it. */
  async function shownTo(client: ApiClient) {
    const endpoint = await givenEndpoint(server());
    const { json } = await send(server(), endpoint, JSON.stringify(payload));
    const reply = await client.call('GET /api/admin/signals', { query: { id: `IS:${json.signals[0].id}` } });
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({
      total: 1,
      signals: [{ id: json.signals[0].id, sourceName: endpoint.name, tokenName: 'first', test: false }],
    });
    return { text: reply.text, signal: reply.json.signals[0] };
  }

  it.each(['Admin', 'Editor'])('are shown to an %s', async (role) => {
    const { signal } = await shownTo((await givenCaller(server(), role)).client);
    expect(signal.payload).toEqual(payload);
  });

  it('are not shown to a Viewer, who sees only that a signal arrived', async () => {
    const { text, signal } = await shownTo((await givenCaller(server(), 'Viewer')).client);
    expect(signal).not.toHaveProperty('payload');
    expect(text).not.toContain('of-the-sender');
  });

  it('are not shown to the Owner of a project who is a Viewer', async () => {
    const owner = await givenMember(server(), await givenProject(server()), ownerRoleId);
    expect((await shownTo(owner.client)).signal).not.toHaveProperty('payload');
  });

  it.each([
    ['are', 'READ_SIGNALS'],
    ['are not', 'READ_LOGS'],
  ])('%s shown to a custom role with %s', async (are, name) => {
    const role = await givenRole(server(), { type: 'root-custom', permissions: [{ name }] });
    const { signal } = await shownTo((await givenCaller(server(), role.id)).client);
    expect(signal).toEqual(
      are === 'are' ? expect.objectContaining({ payload }) : expect.not.objectContaining({ payload }),
    );
  });

  it('have a permission that did not change the ids of existing permissions', async () => {
    const { permissions } = (await server().admin.call('GET /api/admin/permissions')).json;
    const all = [...permissions.root, ...permissions.project, ...permissions.environments.flatMap(of)];
    const ids = new Map(all.map(({ name, id }: { name: string; id: number }) => [name, id]));
    expect(['ADMIN', 'CREATE_FEATURE', 'SKIP_CHANGE_REQUEST'].map((name) => ids.get(name))).toEqual([1, 36, 64]);
    expect(ids.get('READ_SIGNALS')).toBeGreaterThan(64);
    function of({ permissions }: { permissions: { name: string; id: number }[] }) {
      return permissions;
    }
  });
});
