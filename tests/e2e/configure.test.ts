import { describe, expect, it } from 'vitest';
import { givenEnabled } from '../../apps/server/testing/flags.ts';
import { givenIntegration, integrationBody } from '../../apps/server/testing/integrations.ts';
import { useReceiver } from '../../apps/server/testing/receiver.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, focused, logIn, pressUntil, settled, useBrowser } from './browser.ts';

describe('environments', () => {
  const server = useServer();
  const open = useBrowser();

  async function order(): Promise<string[]> {
    const { json } = await server().admin.call('GET /api/admin/environments');
    return json.environments.map(({ name }: { name: string }) => name);
  }

  it('are created after a name conflict is shown, moved by keyboard, and deleted after their name is typed', async () => {
    const { page, complaints } = await open(server(), { at: '/environments' });
    await page.getByRole('button', { name: 'New environment' }).click();
    const form = page.getByRole('dialog', { name: 'New environment' });
    await form.getByLabel('Environment name').fill('load test');
    await form.getByText('Use only letters, digits').waitFor();
    await form.getByLabel('Environment name').fill('load');
    await form.getByLabel('Required approvals').fill('2');
    await server().admin.call('POST /api/admin/environments', { body: { name: 'load', type: 'test' } });
    await form.getByRole('button', { name: 'Create environment' }).click();
    await form.getByText('Is taken.').waitFor();
    expect(await form.getByLabel('Required approvals').inputValue()).toBe('2');
    complaints();
    await form.getByLabel('Environment name').fill('load-2');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create environment' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Move load-2' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('load-2 is at place 4 of 4.').waitFor({ state: 'attached' });
    await pressUntil(page, 'ArrowUp', 'load-2 is at place 3 of 4.');
    await page.keyboard.press('Space');
    await expect.poll(order).toEqual(['development', 'production', 'load-2', 'load']);
    await page.getByRole('button', { name: 'Actions for load-2' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByLabel('Type load-2 to confirm').fill('load-2');
    await page.getByRole('button', { name: 'Delete environment' }).click();
    await expect.poll(order).toEqual(['development', 'production', 'load']);
    expect(complaints()).toEqual([]);
  });
});

describe('integrations', () => {
  const server = useServer({ allowPrivateIntegrationUrls: true });
  const receiver = useReceiver();
  const open = useBrowser();

  it('creates a webhook, shows its deliveries without the secret, disables and deletes it', async () => {
    const window = await open(server(), { at: '/integrations' });
    const { page } = window;
    await page.getByRole('button', { name: /^Webhook/ }).click();
    const form = page.getByRole('dialog', { name: 'New Webhook integration' });
    await form.getByLabel('Description').first().fill('Chat');
    await form.getByRole('combobox', { name: 'Projects' }).click();
    await page.getByRole('option', { name: 'Default' }).click();
    await page.keyboard.press('Escape');
    await form.getByRole('combobox', { name: 'Environments' }).click({ force: true });
    await page.getByRole('option', { name: 'development' }).click();
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Create integration' }).click();
    await form.getByText('Required.').waitFor();
    await form.getByRole('textbox', { name: 'URL' }).fill('no address');
    await form.getByRole('textbox', { name: 'Authorization' }).fill('Bearer hush');
    await form.getByRole('button', { name: 'Create integration' }).click();
    await form
      .locator('[aria-invalid=true]')
      .and(form.getByRole('textbox', { name: 'URL' }))
      .waitFor();
    expect(await form.getByRole('textbox', { name: 'Authorization' }).inputValue()).toBe('Bearer hush');
    await expectAccessible(page);
    window.complaints();
    await form.getByRole('textbox', { name: 'URL' }).fill(`${receiver().url}/chat`);
    await page.keyboard.press('Enter');
    const key = page.getByRole('dialog', { name: 'Signing key' });
    await key.getByText(/^whsec_/).waitFor();
    await key.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: /Chat/ }).getByText('In default, development').waitFor();
    const { featureName } = await givenEnabled(server());
    await server().app.service.deliveries.idle();
    expect(
      receiver().received.map(({ headers, body }) => [headers.authorization, JSON.parse(body).featureName]),
    ).toEqual([['Bearer hush', featureName]]);
    await page.getByRole('button', { name: 'Actions for Chat' }).click();
    await page.getByRole('menuitem', { name: 'View deliveries' }).click();
    const log = page.getByRole('dialog', { name: 'Deliveries' });
    await log.getByRole('button', { name: `feature-environment-enabled ${featureName}` }).click();
    await log.getByText('200', { exact: true }).waitFor();
    expect(await log.textContent()).not.toContain('hush');
    await log.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('The receiver answered 200.').first().waitFor();
    await expectAccessible(page);
    // Uses the keyboard, because the notice of the test may cover the button until it disappears.
    await log.getByRole('button', { name: 'Redeliver', exact: true }).press('Enter');
    await expect.poll(() => receiver().received.length).toBe(3);
    const ids = receiver().received.map(({ headers }) => headers['webhook-id']);
    expect([ids[2] === ids[0], ids[1] === ids[0]]).toEqual([true, false]);
    await page.keyboard.press('Escape');
    await focused(page.getByRole('button', { name: 'Actions for Chat' }));
    await page.getByRole('switch', { name: 'Chat is enabled' }).press(' ');
    await expect.poll(() => page.getByRole('switch', { name: 'Chat is enabled' }).isChecked()).toBe(false);
    // The switch shows the new state before the server has it.
    await settled(window);
    await givenEnabled(server());
    await server().app.service.deliveries.idle();
    expect(receiver().received).toHaveLength(3);
    await page.getByRole('button', { name: 'Actions for Chat' }).click();
    // Uses the keyboard, because the notice of the redelivery may cover the menu.
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    await page.getByRole('button', { name: 'Delete integration' }).click();
    await page.getByRole('row', { name: /Chat/ }).waitFor({ state: 'detached' });
    expect(window.complaints()).toEqual([]);
  });

  it('switches an integration without undoing what another person changed meanwhile', async () => {
    const { id } = await givenIntegration(server(), { description: 'Chat', events: ['feature-created'] });
    const { page, complaints } = await open(server(), { at: '/integrations' });
    await page.getByRole('row', { name: /Chat/ }).getByText('1 event type').waitFor();
    await server().admin.call('PUT /api/admin/addons/:id', {
      params: { id },
      body: { ...integrationBody, description: 'Chat', events: ['feature-created', 'feature-archived'] },
    });
    await page.getByRole('switch', { name: 'Chat is enabled' }).press(' ');
    await page.getByRole('row', { name: /Chat/ }).getByText('2 event types').waitFor();
    const { json } = await server().admin.call('GET /api/admin/addons/:id', { params: { id } });
    expect(json).toMatchObject({ enabled: false, events: ['feature-created', 'feature-archived'] });
    expect(complaints()).toEqual([]);
  });

  it('speaks of no previous key when an integration gets its first signing key', async () => {
    await givenIntegration(server(), { description: 'Old' });
    const window = await open(server());
    const { page } = window;
    let isSigned = false;
    // Integrations that were created before events were signed have no key.
    await page.route('**/api/admin/integrations/health', async (route) => {
      const response = await route.fetch();
      const { integrations } = await response.json();
      const shown = integrations.map((health: object) => ({ ...health, ...(isSigned ? {} : { signing: null }) }));
      await route.fulfill({ response, json: { integrations: shown } });
    });
    await logIn(window, '/integrations');
    await page.getByRole('button', { name: 'Actions for Old' }).click();
    await page.getByRole('menuitem', { name: 'View deliveries' }).click();
    const create = page.getByRole('button', { name: 'Create signing key' });
    await create.waitFor();
    isSigned = true;
    await create.click();
    const made = page.getByRole('dialog', { name: 'Signing key' });
    await made.getByText(/^whsec_/).waitFor();
    await settled(window);
    await made.getByText('The receiver verifies the header webhook-signature with it').waitFor();
    expect(await made.getByText('The previous key').count()).toBe(0);
    expect(window.complaints()).toEqual([]);
  });

  it('asks before the signing key of an integration is rotated', async () => {
    await givenIntegration(server(), { description: 'Signed' });
    const { page, complaints } = await open(server(), { at: '/integrations' });
    await page.getByRole('button', { name: 'Actions for Signed' }).click();
    await page.getByRole('menuitem', { name: 'View deliveries' }).click();
    await page.getByRole('button', { name: 'Rotate signing key' }).click();
    const question = page.getByRole('dialog', { name: 'Rotate the signing key?' });
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Rotate signing key' }).click();
    await question.getByRole('button', { name: 'Rotate key' }).click();
    const made = page.getByRole('dialog', { name: 'Signing key' });
    await made.getByText(/^whsec_/).waitFor();
    await made.getByText('The previous key signs besides for 24 hours.').waitFor();
    expect(complaints()).toEqual([]);
  });
});

describe('context fields, segments and tags', () => {
  const server = useServer();
  const open = useBrowser();

  it('creates a context field with legal values and a segment, which cannot be deleted while a flag uses it', async () => {
    const window = await open(server(), { at: '/context' });
    const { page } = window;
    // The form compares a typed name with the names of the list, once it is loaded.
    await page.getByRole('row', { name: /userId/ }).waitFor();
    await page.getByRole('button', { name: 'New context field' }).click();
    const field = page.getByRole('dialog', { name: 'New context field' });
    await field.getByLabel('Legal value', { exact: true }).fill('free');
    await page.keyboard.press('Enter');
    // Not added by Enter or the button, but by going on.
    await field.getByLabel('Legal value', { exact: true }).fill('paid');
    await field.getByLabel('Context name').fill('userId');
    await field.getByText('A context field with this name exists.').waitFor();
    await field.getByLabel('Context name').fill('plan');
    await field.getByRole('button', { name: 'Remove the legal value free' }).waitFor();
    await expectAccessible(page);
    await field.getByRole('button', { name: 'Create context field' }).click();
    await page.getByRole('row', { name: /plan/ }).getByText('paid').waitFor();

    await page.getByRole('link', { name: 'Segments' }).click();
    await page.getByRole('button', { name: 'New segment' }).click();
    const segment = page.getByRole('dialog', { name: 'New segment' });
    await segment.getByLabel('Segment name').fill('Customers');
    await segment.getByRole('button', { name: 'Add constraint' }).click();
    // The legal values come with the context fields, and replace the input of values.
    await settled(window);
    await segment.getByRole('combobox', { name: 'Context field' }).fill('plan');
    await segment.getByRole('button', { name: 'Create segment' }).click();
    await segment
      .locator('[aria-invalid=true]')
      .and(segment.getByRole('combobox', { name: 'Values' }))
      .waitFor();
    await segment.getByRole('combobox', { name: 'Values' }).click();
    await page.getByRole('option', { name: 'paid' }).click();
    await page.keyboard.press('Escape');
    await segment.getByRole('button', { name: 'Create segment' }).click();
    const row = page.getByRole('row', { name: /Customers/ });
    await row.getByText('plan is paid').waitFor();

    const { featureName, projectId, environment } = await givenEnabled(server());
    const { json } = await server().admin.call('GET /api/admin/segments');
    const body = { name: 'default', parameters: {}, segments: [json.segments[0].id] };
    const params = { projectId, featureName, environment };
    const route = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies';
    expect((await server().admin.call(route, { params, body })).status).toBe(200);
    await page.reload();
    await row.getByText('1 flag').waitFor();
    await page.getByRole('button', { name: 'Actions for Customers' }).click();
    const remove = page.getByRole('menuitem', { name: 'Delete' });
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
    await remove.hover();
    await page.getByRole('tooltip').getByText('used in 1 flag').waitFor();
    await page.getByRole('menuitem', { name: 'Where it is used' }).click();
    await page.getByRole('link', { name: featureName }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await focused(page.getByRole('button', { name: 'Actions for Customers' }));
    expect(window.complaints()).toEqual([]);
  });

  it('creates a tag type with a color, and a tag of this type', async () => {
    const { page, complaints } = await open(server(), { at: '/tag-types' });
    await page.getByRole('button', { name: 'New tag type' }).click();
    const form = page.getByRole('dialog', { name: 'New tag type' });
    await form.getByLabel('Tag type name').fill('t');
    await form.getByLabel('Color').fill('no colour');
    await form.getByText('Use 2 to 50 letters').waitFor();
    await form.getByLabel('Tag type name').fill('team');
    await form.getByLabel('Color').fill('#1971c2');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /team/ }).getByRole('button', { name: '0 tags' }).click();
    const tags = page.getByRole('dialog', { name: 'Tags: team' });
    await tags.getByLabel('New tag').fill('a');
    await page.keyboard.press('Enter');
    await tags.getByText('Use 2 to 50 characters.').waitFor();
    await tags.getByLabel('New tag').fill('checkout');
    await page.keyboard.press('Enter');
    await tags.getByRole('button', { name: 'Delete the tag checkout' }).waitFor();
    await expectAccessible(page);
    const { json } = await server().admin.call('GET /api/admin/tag-types/:name', { params: { name: 'team' } });
    expect(json.tagType.color).toBe('#1971c2');
    expect(complaints()).toEqual([]);
  });
});
