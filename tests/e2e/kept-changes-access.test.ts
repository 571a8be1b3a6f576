import { describe, expect, it } from 'vitest';
import { givenGroup, givenRole } from '../../apps/server/testing/access.ts';
import { givenDefault, givenLink, givenProject } from '../../apps/server/testing/flags.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { settled, useBrowser } from './browser.ts';
import { editing, expectBothKept } from './kept-changes.ts';

describe('forms of access and projects keep what a colleague changed since they were opened', () => {
  const server = useServer();
  const open = useBrowser();

  const overviewOf = async (projectId: string) =>
    (await server().admin.call('GET /api/admin/projects/:projectId/overview', { params: { projectId } })).json;
  const givenProjectRole = () => givenRole(server(), { type: 'custom', permissions: [{ name: 'UPDATE_FEATURE' }] });
  const changeSettings = (projectId: string, body: object) =>
    server().admin.call('PUT /api/admin/projects/:projectId/settings', { params: { projectId }, body });

  it('a user', async () => {
    const { json } = await server().admin.call('POST /api/admin/user-admin', {
      body: { username: 'ann', name: 'Ann', rootRole: 3 },
    });
    const params = { id: json.id };
    await expectBothKept(await open(server(), { at: '/' }), {
      at: '/admin/users?query=ann',
      open: editing('Ann'),
      field: 'Name',
      text: 'Ann of the user',
      colleague: () => server().admin.call('PUT /api/admin/user-admin/:id', { params, body: { rootRole: 2 } }),
      submit: 'Save user',
      state: async () => (await server().admin.call('GET /api/admin/user-admin/:id', { params })).json,
      both: { name: 'Ann of the user', rootRole: 2 },
    });
  });

  it('a service account', async () => {
    const body = { username: 'robot', name: 'Robot', rootRole: 3 };
    const { json } = await server().admin.call('POST /api/admin/service-account', { body });
    const params = { id: json.id };
    await expectBothKept(await open(server(), { at: '/' }), {
      at: '/admin/service-accounts',
      open: editing('robot'),
      field: 'Name',
      colleague: () => server().admin.call('PUT /api/admin/service-account/:id', { params, body: { rootRole: 2 } }),
      submit: 'Save service account',
      state: async () =>
        (await server().admin.call('GET /api/admin/service-account')).json.serviceAccounts.find(
          ({ id }: { id: number }) => id === params.id,
        ),
      both: { name: 'of the user', rootRole: 2 },
    });
  });

  it('a role', async () => {
    const { id: roleId, name } = await givenRole(server(), { type: 'root-custom', permissions: [] });
    const permissions = [{ name: 'CREATE_SEGMENT' }];
    const body = { name: `${name}-2`, type: 'root-custom', permissions };
    await expectBothKept(await open(server(), { at: '/' }), {
      at: '/admin/roles',
      open: editing(name),
      field: 'Role description',
      colleague: () => server().admin.call('PUT /api/admin/roles/:roleId', { params: { roleId }, body }),
      submit: 'Save role',
      state: async () => (await server().admin.call('GET /api/admin/roles/:roleId', { params: { roleId } })).json,
      both: { name: `${name}-2`, description: 'of the user', permissions },
    });
  });

  it('a group', async () => {
    const { id: groupId, name } = await givenGroup(server());
    await expectBothKept(await open(server(), { at: '/' }), {
      at: '/admin/groups',
      open: editing(name),
      field: 'Group description',
      colleague: () =>
        server().admin.call('PUT /api/admin/groups/:groupId', { params: { groupId }, body: { name: `${name}-2` } }),
      submit: 'Save group',
      state: async () => (await server().admin.call('GET /api/admin/groups/:groupId', { params: { groupId } })).json,
      both: { name: `${name}-2`, description: 'of the user' },
    });
  });

  it('the details of a project', async () => {
    const projectId = await givenProject(server());
    await expectBothKept(await open(server(), { at: '/' }), {
      at: `/projects/${projectId}/settings`,
      field: 'Description',
      colleague: () =>
        server().admin.call('PUT /api/admin/projects/:projectId', { params: { projectId }, body: { name: 'Shop' } }),
      submit: 'Save changes',
      state: () => overviewOf(projectId),
      both: { name: 'Shop', description: 'of the user' },
    });
  });

  it('a naming pattern', async () => {
    const projectId = await givenProject(server());
    await changeSettings(projectId, { featureNaming: { pattern: 'a.*' } });
    await expectBothKept(await open(server(), { at: '/' }), {
      at: `/projects/${projectId}/settings`,
      field: 'Example',
      text: 'ab',
      colleague: () =>
        changeSettings(projectId, { featureNaming: { pattern: 'a.*', description: 'of the colleague' } }),
      submit: 'Save naming pattern',
      state: async () => (await overviewOf(projectId)).featureNaming,
      both: { pattern: 'a.*', example: 'ab', description: 'of the colleague' },
    });
  });

  it('the rule of change reasons', async () => {
    const projectId = await givenProject(server());
    await expectBothKept(await open(server(), { at: '/' }), {
      at: `/projects/${projectId}/settings`,
      field: 'Reason must contain',
      text: 'OPS-',
      colleague: () => changeSettings(projectId, { changeReason: { required: true, pattern: null } }),
      submit: 'Save change reasons',
      state: async () => (await overviewOf(projectId)).changeReason,
      both: { required: true, pattern: 'OPS-' },
    });
  });

  it('a default strategy', async () => {
    const strategy = { name: 'flexibleRollout', parameters: { rollout: '10', stickiness: 'default' } };
    const { projectId } = await givenDefault(server(), strategy);
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['SE'] }];
    const defaultOf = async () =>
      (await overviewOf(projectId)).environments.find(
        ({ environment }: { environment: string }) => environment === 'production',
      ).defaultStrategy;
    await expectBothKept(await open(server(), { at: '/' }), {
      at: `/projects/${projectId}/settings/environments`,
      open: (page) => page.getByRole('button', { name: 'Edit the default strategy of production' }).click(),
      field: 'Title',
      colleague: () =>
        server().admin.call('POST /api/admin/projects/:projectId/environments/:environment/default-strategy', {
          params: { projectId, environment: 'production' },
          body: { ...strategy, constraints },
        }),
      submit: 'Save default strategy',
      state: defaultOf,
      both: { title: 'of the user', constraints },
    });
  });

  it('a link of a flag', async () => {
    const { linkId, ...params } = await givenLink(server(), { url: 'https://example.com/1', title: 'Ticket' });
    await expectBothKept(await open(server(), { at: '/' }), {
      at: `/projects/${params.projectId}/features/${params.featureName}`,
      open: (page) => page.getByRole('button', { name: 'Edit the link Ticket' }).click(),
      field: 'Title',
      colleague: () =>
        server().admin.call('PUT /api/admin/projects/:projectId/features/:featureName/link/:linkId', {
          params: { ...params, linkId },
          body: { url: 'https://example.com/2', title: 'Ticket' },
        }),
      submit: 'Save link',
      state: async () =>
        (await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName', { params })).json
          .links[0],
      both: { url: 'https://example.com/2', title: 'of the user' },
    });
  });

  it('the settings of OpenID Connect', async () => {
    const settings = '/api/admin/auth/oidc/settings';
    await expectBothKept(await open(server(), { at: '/' }), {
      at: '/admin/auth',
      field: 'ACR values',
      text: 'of-the-user',
      colleague: () => server().admin.call(`POST ${settings}`, { body: { enabled: false, clientId: 'yardarm' } }),
      submit: 'Save',
      state: async () => (await server().admin.call(`GET ${settings}`)).json,
      both: { clientId: 'yardarm', acrValues: 'of-the-user' },
    });
  });

  it('the roles of a member, of which both changed the list', async () => {
    const projectId = await givenProject(server());
    const [first, ofUser, ofColleague] = [await givenProjectRole(), await givenProjectRole(), await givenProjectRole()];
    const { id: userId } = await givenUser(server());
    const params = { projectId, userId };
    const route = 'PUT /api/admin/projects/:projectId/users/:userId/roles';
    await server().admin.call('POST /api/admin/projects/:projectId/access', {
      params: { projectId },
      body: { users: [userId], groups: [], roles: [first.id] },
    });
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/settings/access` });
    await editing('A person', 'Edit roles')(page);
    const form = page.getByRole('dialog', { name: 'Roles of A person' });
    await form.getByRole('combobox', { name: 'Roles' }).click({ force: true });
    await page.getByRole('option', { name: ofUser.name }).click();
    await page.keyboard.press('Escape');
    await server().admin.call(route, { params, body: { roles: [first.id, ofColleague.id] } });
    await form.getByRole('button', { name: 'Save roles' }).click();
    await form.getByText('Someone has changed the roles since this form was opened.').waitFor();
    const { json } = await server().admin.call('GET /api/admin/projects/:projectId/access', { params: { projectId } });
    const { roles } = json.users.find(({ id }: { id: number }) => id === userId);
    expect(roles.toSorted()).toEqual([first.id, ofColleague.id].toSorted());
    expect(complaints()).toEqual([]);
  });

  it('the origins of the frontend API, of which both changed the list', async () => {
    const { page, complaints } = await open(server(), { at: '/admin/instance?tab=network' });
    const origins = page.getByRole('combobox', { name: 'Origins of the frontend API' });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await origins.fill('https://user.example.com');
    await page.keyboard.press('Enter');
    await save.click();
    await page.getByText('Origins saved').waitFor();
    await origins.fill('https://again.example.com');
    await page.keyboard.press('Enter');
    await server().admin.call('POST /api/admin/ui-config/cors', {
      body: { frontendApiOrigins: ['https://colleague.example.com'] },
    });
    await save.click();
    await page.getByText('Someone has changed the frontend api origins since this form was opened.').waitFor();
    const { json } = await server().admin.call('GET /api/admin/ui-config');
    expect(json.frontendApiOrigins).toEqual(['https://colleague.example.com']);
    expect(complaints()).toEqual([]);
  });

  it('link templates, of which both changed the list', async () => {
    const projectId = await givenProject(server());
    const window = await open(server(), { at: `/projects/${projectId}/settings/links` });
    const { page } = window;
    await settled(window);
    await page.getByRole('button', { name: 'Add link' }).click();
    const url = page.getByRole('group', { name: 'Link 1' }).getByLabel('URL');
    await url.fill('https://example.com/user');
    const linkTemplates = [{ title: null, urlTemplate: 'https://example.com/colleague' }];
    await changeSettings(projectId, { linkTemplates });
    await page.getByRole('button', { name: 'Save link templates' }).click();
    await page.getByText('Someone has changed the link templates since this form was opened.').waitFor();
    expect(await url.inputValue()).toBe('https://example.com/user');
    expect((await overviewOf(projectId)).linkTemplates).toEqual(linkTemplates);
    expect(window.complaints()).toEqual([]);
  });

  it('link templates that are saved twice', async () => {
    const projectId = await givenProject(server());
    const window = await open(server(), { at: `/projects/${projectId}/settings/links` });
    const { page } = window;
    await settled(window);
    await page.getByRole('button', { name: 'Add link' }).click();
    const url = page.getByRole('group', { name: 'Link 1' }).getByLabel('URL');
    for (const urlTemplate of ['https://example.com/1', 'https://example.com/2']) {
      await url.fill(urlTemplate);
      await page.getByRole('button', { name: 'Save link templates' }).click();
      const saved = async () => (await overviewOf(projectId)).linkTemplates;
      await expect.poll(saved).toEqual([{ title: null, urlTemplate }]);
    }
    expect(window.complaints()).toEqual([]);
  });
});
