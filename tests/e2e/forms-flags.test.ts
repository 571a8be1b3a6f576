import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { freshName, givenFlag, givenProject } from '../../apps/server/testing/flags.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { type TestServer, useServer } from '../../apps/server/testing/server.ts';
import { type BadInput, describedBy, expectMendable } from './bad-input.ts';
import { logIn, settled, useBrowser, type Window } from './browser.ts';

// Flag forms that keep the typed text when input is refused. Other files cover: a strategy with constraints and
// variants (flags), overrides of variants (flag-details), the confirmation of a deletion (flag-life).

const flagRoute = 'GET /api/admin/projects/:projectId/features/:featureName' as const;
/** A longer time-out, because other tests may use the processor. */
const slow = { interval: 20, timeout: 10_000 };
const long = (length: number) => 'x'.repeat(length);
const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();

const formsOfFlags = async (server: TestServer): Promise<readonly BadInput[]> => {
  const projectId = await givenProject(server);
  const { featureName } = await givenFlag(server, {}, projectId);
  const at = `/projects/${projectId}/features/${featureName}`;
  const flag = async () => (await server.admin.call(flagRoute, { params: { projectId, featureName } })).json;
  const names = async () =>
    (
      await server.admin.call('GET /api/admin/projects/:projectId/features', { params: { projectId } })
    ).json.features.map(({ name, description }: Record<string, unknown>) => [name, description]);
  return [
    {
      form: 'a new flag',
      at: `/projects/${projectId}/create-flag`,
      typed: { Description: 'What it switches' },
      field: 'Name',
      refused: 'no spaces!/',
      taken: freshName('fine'),
      submit: 'Create feature flag',
      state: names,
    },
    {
      form: 'a clone',
      at,
      open: async (page) => {
        await button('Actions')(page);
        await page.getByRole('menuitem', { name: 'Clone' }).click();
      },
      field: 'Name of the clone',
      refused: featureName,
      taken: freshName('clone'),
      submit: 'Clone flag',
      state: names,
    },
    {
      form: 'a link',
      at,
      open: button('Add a link'),
      typed: { Title: 'The ticket' },
      field: 'URL',
      refused: 'javascript:alert(1)',
      taken: 'https://tickets.example.com/1',
      submit: 'Save link',
      state: async () => (await flag()).links,
    },
    {
      form: 'environment variants',
      at: `${at}/variants?environmentId=development`,
      open: button('Add variant'),
      field: 'Variant name',
      refused: long(300),
      taken: 'blue',
      submit: 'Save variants',
      state: async () => (await flag()).environments,
    },
  ];
};

const formsOfRequests = async (server: TestServer, { page }: Window): Promise<readonly BadInput[]> => {
  const projectId = await givenProject(server, {
    changeRequestEnvironments: [{ name: 'production', requiredApprovals: 1 }],
  });
  const { featureName: feature } = await givenFlag(server, {}, projectId);
  const address = `/api/admin/projects/${projectId}`;
  const body = { action: 'updateEnabled', feature, payload: { enabled: true } };
  const mine = await page.request.post(`${address}/environments/production/change-requests`, { data: body });
  const { id } = await mine.json();
  await page.request.put(`${address}/change-requests/${id}/state`, { data: { state: 'In review' } });
  const editor = server.client(await server.tokenOf('editor'));
  const ask = { params: { projectId, environment: 'production' }, body };
  const route = 'POST /api/admin/projects/:projectId/environments/:environment/change-requests' as const;
  const state = 'PUT /api/admin/projects/:projectId/change-requests/:id/state' as const;
  const theirs = async () => {
    const { json } = await editor.call(route, { ...ask, body: { ...body, payload: { enabled: false } } });
    await editor.call(state, { params: { projectId, id: json.id }, body: { state: 'In review' } });
    return json.id as number;
  };
  const [sent, approved] = [await theirs(), await theirs()];
  await page.request.put(`${address}/change-requests/${approved}/state`, { data: { state: 'Approved' } });
  const stateOf = (requestId: number) => async () => {
    const { title, comments, rejections, schedule } = await (
      await page.request.get(`${address}/change-requests/${requestId}`)
    ).json();
    return { title, comments, rejections, schedule };
  };
  const at = (requestId: number) => `/projects/${projectId}/change-requests/${requestId}`;
  return [
    {
      form: 'a title',
      at: at(id),
      open: button('Edit title'),
      field: 'Title',
      refused: long(300),
      taken: 'Launch',
      submit: 'Save title',
      state: stateOf(id),
    },
    {
      form: 'a comment',
      at: at(id),
      field: 'New comment',
      refused: long(5000),
      taken: 'Looks good',
      submit: 'Comment',
      state: stateOf(id),
    },
    {
      form: 'a rejection',
      at: at(sent),
      open: button('Reject'),
      field: 'Reason',
      refused: long(5000),
      taken: 'Not before Monday',
      submit: 'Reject',
      state: stateOf(sent),
    },
    {
      form: 'a schedule',
      at: at(approved),
      open: button('Schedule'),
      field: 'When',
      refused: '2020-01-31T12:00',
      taken: '2099-01-31T12:00',
      submit: 'Schedule',
      state: stateOf(approved),
    },
  ];
};

describe('forms of flags', () => {
  const server = useServer();
  const open = useBrowser();

  it('show refusals at their fields and keep all input', async () => {
    const window = await open(server(), { at: '/' });
    for (const input of await formsOfFlags(server())) await expectMendable(window, input);
    for (const input of await formsOfRequests(server(), window)) await expectMendable(window, input);
  }, 60_000);

  it('show refusals at fields that are no text boxes', async () => {
    const projectId = await givenProject(server());
    const params = { projectId, featureName: (await givenFlag(server(), {}, projectId)).featureName };
    const { featureName: parent } = await givenFlag(server(), {}, projectId);
    const window = await open(server());
    const { page } = window;
    const flag = async () => (await server().admin.call(flagRoute, { params })).json;
    const expectErrorAt = async (name: string, message: RegExp) => {
      const field = page.getByRole('combobox', { name, exact: true });
      await expect.poll(() => field.getAttribute('aria-invalid'), slow).toBe('true');
      expect(await describedBy(page, field)).toMatch(message);
      window.complaints();
    };
    await logIn(window, `/projects/${projectId}/features/${params.featureName}`);
    await button('Edit tags')(page);
    await page.getByRole('combobox', { name: 'Tags' }).fill('team-less');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Tags' }).fill('nobody:payments');
    await page.keyboard.press('Enter');
    await button('Save tags')(page);
    await expectErrorAt('Tags', /existing tag type/);
    expect((await flag()).tags).toEqual([]);
    await page.keyboard.press('Backspace');
    await page.getByText('simple:team-less').waitFor();
    await button('Save tags')(page);
    await expect.poll(async () => (await flag()).tags, slow).toMatchObject([{ type: 'simple', value: 'team-less' }]);

    await button('Add a dependency')(page);
    await page.getByRole('combobox', { name: 'Parent flag' }).click();
    await page.getByRole('option', { name: parent }).click();
    await page.getByText('off', { exact: true }).click();
    const archive = 'DELETE /api/admin/projects/:projectId/features/:featureName' as const;
    await server().admin.call(archive, { params: { projectId, featureName: parent } });
    await button('Save dependency')(page);
    await expectErrorAt('Parent flag', new RegExp(parent));
    expect((await flag()).dependencies).toEqual([]);
    const revive = 'POST /api/admin/projects/:projectId/revive' as const;
    await server().admin.call(revive, { params: { projectId }, body: { features: [parent] } });
    await button('Save dependency')(page);
    await expect
      .poll(async () => (await flag()).dependencies, slow)
      .toMatchObject([{ feature: parent, enabled: false }]);

    const { featureName: other } = await givenFlag(server(), {}, projectId);
    await page.goto(`/projects/${projectId}`);
    await page.getByRole('checkbox', { name: `Select ${other}` }).check();
    await page.getByRole('region', { name: 'Selected flags' }).getByRole('button', { name: 'Tags' }).click();
    await page.getByRole('combobox', { name: 'Add' }).fill('nobody:payments');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Remove' }).fill('team-less');
    await page.keyboard.press('Enter');
    await button('Save tags')(page);
    await expectErrorAt('Add', /existing tag type/);
    await page.getByRole('dialog').getByText('simple:team-less').waitFor();
    await page.keyboard.press('Backspace');
    await button('Save tags')(page);
    await page.getByText('1 flag is changed.').waitFor();

    const elsewhere = await givenProject(server(), { environments: ['development'] });
    await page.goto(`/projects/${projectId}/features/${other}/settings`);
    await page.getByRole('combobox', { name: 'Move to' }).click();
    await page.getByRole('option', { name: elsewhere }).click();
    await button('Move flag')(page);
    await expectErrorAt('Move to', /production/);
    await server().admin.call('POST /api/admin/projects/:projectId/environments', {
      params: { projectId: elsewhere },
      body: { environment: 'production' },
    });
    await button('Move flag')(page);
    await page.getByRole('link', { name: elsewhere }).waitFor();

    await page.goto(`/playground?context=${encodeURIComponent('{"currentTime":"noon","userId":"ada"}')}`);
    await page.getByRole('combobox', { name: 'Environments' }).click();
    await page.getByRole('option', { name: 'development' }).click();
    await page.keyboard.press('Escape');
    await button('Evaluate flags')(page);
    const time = page.getByRole('textbox', { name: 'Value of currentTime' });
    await expect.poll(() => time.getAttribute('aria-invalid'), slow).toBe('true');
    expect(await describedBy(page, time)).toMatch(/date and time/);
    window.complaints();
    expect(await page.getByRole('textbox', { name: 'Value of userId' }).inputValue()).toBe('ada');
    await time.fill('2027-01-31T12:00:00Z');
    await button('Evaluate flags')(page);
    await page.getByRole('link', { name: parent }).waitFor();
    expect(window.complaints()).toEqual([]);
  }, 60_000);

  it('show that a requested approver was deleted', async () => {
    const projectId = await givenProject(server(), {
      changeRequestEnvironments: [{ name: 'production', requiredApprovals: 1 }],
    });
    const { featureName: feature } = await givenFlag(server(), {}, projectId);
    const [going, staying] = [await givenUser(server(), 'Admin'), await givenUser(server(), 'Admin')];
    const { page, complaints } = await open(server(), { at: '/' });
    const requests = `/api/admin/projects/${projectId}/environments/production/change-requests`;
    const data = { action: 'updateEnabled', feature, payload: { enabled: true } };
    const { id } = await (await page.request.post(requests, { data })).json();
    await page.goto(`/projects/${projectId}/change-requests/${id}`);
    const people = page.getByRole('combobox', { name: 'Reviewers' });
    await people.click();
    // All have the same name; they are listed in order of creation.
    const options = page.getByRole('option', { name: 'A person' });
    await options.first().click();
    await options.last().click();
    await page.keyboard.press('Escape');
    await server().admin.call('DELETE /api/admin/user-admin/:id', { params: { id: going.id } });
    await button('Save reviewers')(page);
    await expect.poll(() => people.getAttribute('aria-invalid'), slow).toBe('true');
    expect(await describedBy(page, people)).toMatch(/unknown accounts/);
    complaints();
    await people.click();
    await options.first().click();
    await page.keyboard.press('Escape');
    await button('Save reviewers')(page);
    const approvers = async () =>
      (await page.request.get(`/api/admin/projects/${projectId}/change-requests/${id}/approvers`)).json();
    await expect.poll(approvers, slow).toMatchObject([{ id: staying.id }]);
    expect(complaints()).toEqual([]);
  });

  it('keep a strategy that is saved after the session has ended', async () => {
    const { featureName } = await givenFlag(server());
    const window = await open(server(), {
      at: `/projects/default/features/${featureName}/strategies/create?environmentId=development`,
    });
    const { page } = window;
    await page.getByLabel('Title').fill('Half of them');
    await page.getByRole('textbox', { name: 'Rollout', exact: true }).fill('50');
    const { sessions } = await (await page.request.get('/api/admin/user/sessions')).json();
    for (const { id } of sessions) await page.request.delete(`/api/admin/user/sessions/${id}`);
    // A click by the mouse could fail: a background request of the page may already have shown the login over the
    // button.
    await page.getByRole('button', { name: 'Add strategy' }).dispatchEvent('click');
    const login = page.getByRole('dialog', { name: 'Your session has ended' });
    await login.getByRole('textbox', { name: 'Password' }).fill('First-Admin-42!');
    await login.getByRole('button', { name: 'Log in' }).click();
    await login.waitFor({ state: 'detached' });
    await settled(window);
    expect(await page.getByLabel('Title').inputValue()).toBe('Half of them');
    expect(await page.getByRole('textbox', { name: 'Rollout', exact: true }).inputValue()).toBe('50 %');
    await button('Add strategy')(page);
    await page.getByRole('heading', { name: featureName, level: 1 }).waitFor();
    await page.getByText('Half of them').waitFor();
  });
});
