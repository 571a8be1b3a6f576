import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type ActionPlace, givenActionPlace, givenSet } from '../../apps/server/testing/actions.ts';
import { type TestServer, useServer } from '../../apps/server/testing/server.ts';
import { type BadInput, describedBy, expectMendable } from './bad-input.ts';
import { settled, useBrowser } from './browser.ts';

// Automation forms that keep the typed text when input is refused. Other files cover: an action set with an invalid
// array path, also in dry run, and its guards (actions), a test signal that is not JSON (signals).

const long = 'x'.repeat(300);
const deep = `${'['.repeat(70)}${']'.repeat(70)}`;

const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();

const signalForms = ({ admin }: TestServer, { endpoint }: ActionPlace): readonly BadInput[] => {
  const endpoints = async () => (await admin.call('GET /api/admin/signal-endpoints')).json.signalEndpoints;
  const tested = async () =>
    (await admin.call('GET /api/admin/search/events', { query: { type: 'IS:signal-endpoint-tested' } })).json.total;
  return [
    {
      form: 'a new signal endpoint',
      at: '/integrations/signals?make=true',
      typed: { 'Signal endpoint name': 'deploys' },
      field: 'Signal endpoint description',
      refused: 'x'.repeat(4001),
      taken: 'From the pipelines',
      submit: 'Add signal endpoint',
      state: endpoints,
    },
    {
      form: 'a signal endpoint',
      at: `/integrations/signals?edit=${endpoint.id}`,
      typed: { 'Signal endpoint name': 'renamed' },
      field: 'Signal endpoint description',
      refused: 'x'.repeat(4001),
      taken: 'From the alerts',
      submit: 'Save signal endpoint',
      state: endpoints,
    },
    {
      form: 'a token of an endpoint',
      at: `/integrations/signals?edit=${endpoint.id}`,
      open: button('New token'),
      field: 'Token name',
      refused: 'first',
      taken: 'second',
      submit: 'Create token',
      state: endpoints,
    },
    {
      form: 'a test signal',
      at: `/integrations/signals?view=${endpoint.id}`,
      open: button('Send a test signal'),
      field: 'Body',
      refused: deep,
      taken: '{"type":"test"}',
      submit: 'Send',
      state: tested,
    },
  ];
};

const actionForms = ({ admin }: TestServer, { projectId }: ActionPlace, setId: number): readonly BadInput[] => {
  const sets = async () =>
    (await admin.call('GET /api/admin/projects/:projectId/actions', { params: { projectId } })).json.actions;
  return [
    {
      form: 'a set of actions',
      at: `/projects/${projectId}/settings/actions?edit=${setId}`,
      typed: { 'Action description': 'Typed with care' },
      field: 'Action name',
      refused: 'Taken',
      taken: 'Another',
      submit: 'Save action',
      state: sets,
    },
    {
      form: 'the freezing of all automation',
      at: `/projects/${projectId}/settings/actions`,
      open: button('Freeze all automation'),
      field: 'Reason',
      refused: 'x'.repeat(1001),
      taken: 'The alerts are wrong.',
      submit: 'Freeze all automation',
      state: async () => (await admin.call('GET /api/admin/automation')).json.frozen,
    },
  ];
};

const integrationForms = ({ admin }: TestServer): readonly BadInput[] => {
  const integrations = async () => (await admin.call('GET /api/admin/addons')).json.addons;
  return [
    {
      form: 'a new integration',
      at: '/integrations',
      open: (page) => page.getByRole('button', { name: /^Webhook/ }).click(),
      typed: { Description: 'Chat of the shop' },
      field: 'URL',
      refused: 'ftp://8.8.8.8/hook',
      taken: 'https://8.8.8.8/hook',
      submit: 'Create integration',
      state: integrations,
    },
    {
      form: 'an integration',
      at: '/integrations',
      open: async (page) => {
        await page.getByRole('button', { name: 'Actions for Chat of the shop' }).click();
        await page.getByRole('menuitem', { name: 'Edit' }).click();
      },
      typed: { Description: 'Chat of the shop team', Authorization: 'Bearer secret' },
      field: 'URL',
      refused: 'https://a:b@8.8.8.8/',
      taken: 'https://8.8.4.4/hook',
      submit: 'Save integration',
      state: integrations,
    },
  ];
};

describe('forms of signals, actions and integrations', () => {
  const server = useServer();
  const open = useBrowser();

  it('show refusals at their fields, keep all input, and are saved once corrected', async () => {
    const place = await givenActionPlace(server());
    await givenSet(server(), { name: 'Taken' }, place);
    const { id } = await givenSet(server(), {}, place);
    const window = await open(server(), { at: '/' });
    const forms = [...signalForms(server(), place), ...integrationForms(server()), ...actionForms(server(), place, id)];
    for (const form of forms) await expectMendable(window, form);
  }, 120_000);

  it('create the token of a new endpoint in a dialog of its own, which keeps what was entered when it is refused', async () => {
    const { page } = await open(server(), { at: '/integrations/signals?make=true' });
    await page.getByLabel('Signal endpoint name').fill('with-token');
    await page.getByLabel('Signal endpoint description').fill('typed with care');
    await page.getByLabel('Create a token now').check();
    await page.getByRole('button', { name: 'Add signal endpoint' }).click();
    const token = page.getByLabel('Token name');
    const create = page.getByRole('dialog', { name: 'New token' }).getByRole('button', { name: 'Create token' });
    await token.fill(long);
    await create.click();
    await expect.poll(() => token.getAttribute('aria-invalid')).toBe('true');
    expect(await describedBy(page, token)).toMatch(/255/);
    expect(await token.inputValue()).toBe(long);
    await token.fill('pager');
    await create.click();
    await page.getByRole('dialog', { name: 'Signal endpoint token created' }).waitFor();
    const { json } = await server().admin.call('GET /api/admin/signal-endpoints');
    expect(json.signalEndpoints).toContainEqual(
      expect.objectContaining({
        name: 'with-token',
        description: 'typed with care',
        tokens: [expect.objectContaining({ name: 'pager' })],
      }),
    );
  });

  it('keep an action set that is saved after the session has ended, and refuse a backtest of an invalid number of days', async () => {
    const place = await givenActionPlace(server());
    const { id } = await givenSet(server(), {}, place);
    const window = await open(server(), { at: `/projects/${place.projectId}/settings/actions?edit=${id}` });
    const { page } = window;
    await page.getByLabel('Action description').fill('typed with care');
    await page.getByText('Backtest').click();
    const days = page.getByLabel('Days to look back');
    await days.fill('900');
    await page.getByRole('button', { name: 'Backtest' }).click();
    await expect.poll(() => days.getAttribute('aria-invalid')).toBe('true');
    await days.fill('9');
    const { sessions } = await (await page.request.get('/api/admin/user/sessions')).json();
    for (const session of sessions) await page.request.delete(`/api/admin/user/sessions/${session.id}`);
    // A click by the mouse could fail: a background request of the page may already have shown the login over the
    // button.
    await page.getByRole('button', { name: 'Save action' }).dispatchEvent('click');
    const login = page.getByRole('dialog', { name: 'Your session has ended' });
    await login.getByRole('textbox', { name: 'Password' }).fill('First-Admin-42!');
    await login.getByRole('button', { name: 'Log in' }).click();
    await login.waitFor({ state: 'detached' });
    await settled(window);
    expect(await page.getByLabel('Action description').inputValue()).toBe('typed with care');
    expect(await days.inputValue()).toBe('9');
    await page.getByRole('button', { name: 'Save action' }).click();
    await page.getByRole('dialog', { name: 'Edit action' }).waitFor({ state: 'detached' });
    await page.getByText('typed with care').waitFor();
  });
});
