import { describe, expect, it } from 'vitest';
import { givenUser } from '#testing/people.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { aStranger, Browser, payloadOf, setOidc, useProvider } from '#testing/single-sign-on.ts';

const server = useServer();
const provider = useProvider(server);

describe('groups that are mapped to groups of the provider', () => {
  const joined = async (browser: Browser) =>
    (await server().anonymous.call('GET /api/admin/user/profile', { headers: browser.cookiesOf(server().url) })).json
      .groups;

  it('are synced at each login; other groups stay unchanged', async () => {
    const user = await givenUser(server());
    provider().user = aStranger({ email: `${user.username}@example.com`, realm_access: { roles: ['devs', 'ops'] } });
    const mapped = async (mappingsSSO: string[], users: number[] = []) => {
      const { json } = await server().admin.call('POST /api/admin/groups', {
        body: { name: `group-${Math.random()}`, mappingsSSO, users: users.map((id) => ({ user: { id } })) },
      });
      return json as { id: number; name: string };
    };
    const devs = await mapped(['devs', 'developers']);
    const sales = await mapped(['sales'], [user.id]);
    const manual = await mapped([], [user.id]);
    await setOidc(server(), { enableGroupSyncing: true, groupJsonPath: 'realm_access.roles' });
    let before = await lastEventId(server());
    const browser = new Browser();
    await browser.logIn(server());
    expect((await joined(browser)).toSorted()).toEqual([devs.name, manual.name].toSorted());
    expect(await eventsAfter(server(), before)).toMatchObject([
      { type: 'group-user-added', data: { groupId: devs.id, userId: user.id }, preData: null },
      { type: 'group-user-removed', data: null, preData: { groupId: sales.id, userId: user.id } },
      { type: 'user-logged-in' },
    ]);
    before = await lastEventId(server());
    await browser.logIn(server());
    expect(await eventsAfter(server(), before)).toMatchObject([{ type: 'user-logged-in' }]);
    provider().user = { ...provider().user, realm_access: {} };
    await browser.logIn(server());
    expect(await joined(browser)).toEqual([manual.name]);
  });

  it('stay unchanged when syncing is off, and when the provider has too many groups to list', async () => {
    const user = await givenUser(server());
    const { json: group } = await server().admin.call('POST /api/admin/groups', {
      body: { name: `group-${Math.random()}`, mappingsSSO: ['devs'], users: [{ user: { id: user.id } }] },
    });
    provider().user = aStranger({ email: `${user.username}@example.com`, realm_access: { roles: [] } });
    const browser = new Browser();
    await browser.logIn(server());
    expect(await joined(browser)).toEqual([group.name]);
    await setOidc(server(), { enableGroupSyncing: true, groupJsonPath: 'groups' });
    provider().mischief.token = (answer) => ({
      ...answer,
      id_token: provider().jwt({ ...payloadOf(answer.id_token), _claim_names: { groups: 'src1' } }),
    });
    await browser.logIn(server());
    expect(await joined(browser)).toEqual([group.name]);
  });

  it('grant their root role at once', async () => {
    await server().admin.call('POST /api/admin/groups', {
      body: { name: `group-${Math.random()}`, mappingsSSO: ['admins'], rootRole: 1 },
    });
    await setOidc(server(), {
      enableGroupSyncing: true,
      groupJsonPath: 'realm_access.roles',
      defaultRootRole: 'Viewer',
    });
    provider().user = aStranger({ realm_access: { roles: ['admins'] } });
    const browser = new Browser();
    await browser.logIn(server());
    const listed = () => server().anonymous.call('GET /api/admin/groups', { headers: browser.cookiesOf(server().url) });
    expect((await listed()).status).toBe(200);
    provider().user = { ...provider().user, realm_access: { roles: [] } };
    await browser.logIn(server());
    expect((await listed()).status).toBe(403);
  });
});
