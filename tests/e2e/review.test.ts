import { describe, expect, it } from 'vitest';
import { givenMember, giveRoles } from '../../apps/server/testing/access.ts';
import { isOn } from '../../apps/server/testing/actions.ts';
import { givenDraft, givenReview, givenSent, setRequestState } from '../../apps/server/testing/change-requests.ts';
import { givenEnabled, givenFlag, givenProject } from '../../apps/server/testing/flags.ts';
import { givenHold } from '../../apps/server/testing/holds.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, useBrowser } from './browser.ts';

describe('review and playground', () => {
  const server = useServer();
  const open = useBrowser();

  it('shows the differences of a change request, tries it in the playground, and takes comments, approval and apply', async () => {
    const projectId = await givenProject(server());
    const { featureName } = await givenFlag(server(), {}, projectId);
    const environment = 'development';
    const editor = server().client(await server().tokenOf('editor'));
    await server().admin.call('PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config', {
      params: { projectId, environment },
      body: { changeRequestsEnabled: true, requiredApprovals: 1 },
    });
    const created = await editor.call('POST /api/admin/projects/:projectId/environments/:environment/change-requests', {
      params: { projectId, environment },
      body: { action: 'updateEnabled', feature: featureName, payload: { enabled: true } },
    });
    await editor.call('PUT /api/admin/projects/:projectId/change-requests/:id/state', {
      params: { projectId, id: created.json.id },
      body: { state: 'In review' },
    });
    const { page, complaints } = await open(server(), { at: '/projects' });
    await page.getByRole('link', { name: 'Change requests 1' }).click();
    await page
      .getByRole('radio', { name: 'Waiting for me (1)' })
      .and(page.locator(':checked'))
      .waitFor({ state: 'attached' });
    await expectAccessible(page);
    await page.getByRole('link', { name: `Change request #${created.json.id}` }).click();
    await page.getByText('Switch the flag on or off').waitFor();
    await page.getByLabel('New comment').fill('Looks good to me');
    await page.getByRole('button', { name: 'Comment' }).click();
    await page.getByText('Looks good to me').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Try in playground' }).click();
    await page.getByText(`As if change request #${created.json.id} were applied`).waitFor();
    await page.getByRole('button', { name: `${featureName} in development: On. Why?` }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Show the current state' }).click();
    await page.getByRole('button', { name: `${featureName} in development: Off. Why?` }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('button', { name: 'Apply changes' }).click();
    await page.getByText('Applied', { exact: true }).waitFor();
    // The request still shows the state that it has replaced when the flag changes later.
    const change = page.getByRole('group', { name: 'Switch the flag on or off' });
    await change.getByText('was false').waitFor();
    await change.getByText('is true').waitFor();
    await page.getByTitle('1 waiting for you').waitFor({ state: 'detached' });
    await page.goto('/change-requests');
    await page
      .getByRole('radio', { name: 'Created by me' })
      .and(page.locator(':checked'))
      .waitFor({ state: 'attached' });
    const { json } = await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName', {
      params: { projectId, featureName },
    });
    expect(json.environments.find(({ name }: { name: string }) => name === environment).enabled).toBe(true);
    expect(complaints()).toEqual([]);
  });

  it('evaluates a flag for a context in the playground, and explains the result', async () => {
    const params = await givenEnabled(server());
    const { page, complaints } = await open(server(), { at: '/playground', colorScheme: 'dark' });
    await page.getByRole('combobox', { name: 'Environments' }).click();
    await page.getByRole('option', { name: 'development' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Evaluate flags' }).click();
    await page.getByRole('button', { name: `${params.featureName} in development: On. Why?` }).click();
    await page.getByText('At least one strategy matches.').waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('button', { name: `${params.featureName} in development: On. Why?` }).waitFor();
    expect(complaints()).toEqual([]);
  });

  it('shows in the playground that a flag is held, by whom, until when, and the configured state', async () => {
    const params = await givenEnabled(server());
    const expiresAt = new Date(Date.now() + 2 * 3_600_000).toISOString();
    await givenHold(server(), params, { effect: 'off', reason: 'Too many errors', expiresAt });
    const { page, complaints } = await open(server(), { at: '/playground?environments=["development"]', width: 380 });
    await page.getByRole('button', { name: `${params.featureName} in development: Off, held. Why?` }).click();
    const held = page.getByRole('alert').filter({ hasText: 'Configured on, held off by admin' });
    await held.getByText('Too many errors').waitFor();
    await held.getByText(/until \d\d:\d\d \(in (1 h 59 min|2 h)\)/).waitFor();
    await page.getByText('Without the hold: on.').waitFor();
    expect(await page.getByText('The flag is off in this environment').count()).toBe(0);
    await expectAccessible(page);
    expect(complaints()).toEqual([]);
  });

  it('shows the button that releases a hold only to people who may release it', async () => {
    const projectId = await givenProject(server());
    const params = { ...(await givenFlag(server(), {}, projectId)), environment: 'development' };
    await givenHold(server(), params);
    const member = await givenUser(server());
    await giveRoles(server(), projectId, [5], { users: [member.id] });
    const { page, complaints } = await open(server(), {
      at: `/projects/${projectId}/features/${params.featureName}`,
      as: member,
    });
    const notice = page.getByRole('alert').filter({ hasText: 'Configured off, held off by admin' });
    await notice.getByRole('button', { name: 'Release' }).waitFor();
    await givenReview(server(), projectId, 'development');
    await page.reload();
    await notice.getByText('Only admin and users with the permission SKIP_CHANGE_REQUEST in development').waitFor();
    expect(await notice.getByRole('button', { name: 'Release' }).count()).toBe(0);
    await expectAccessible(page);
    await page.goto(server().url);
    await page.getByText('Only admin and users with the permission SKIP_CHANGE_REQUEST in development').waitFor();
    expect(await page.getByRole('button', { name: /^Release/ }).count()).toBe(0);
    await expectAccessible(page);
    expect(complaints()).toEqual([]);
  });

  it('switches a flag as the dialog said when it opened, also when another user has switched it meanwhile', async () => {
    const projectId = await givenProject(server());
    const flag = await givenFlag(server(), {}, projectId);
    const params = { ...flag, environment: 'development' };
    await server().admin.call(
      'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on',
      { params },
    );
    await givenReview(server(), projectId, 'development');
    const { page } = await open(server(), { at: `/projects/${projectId}/features/${flag.featureName}` });
    await page.getByRole('switch', { name: `${flag.featureName} in development` }).press(' ');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`Switching ${flag.featureName} off`).waitFor();
    await server().admin.call(
      'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off',
      { params },
    );
    await page
      .getByRole('switch', { name: `${flag.featureName} in development`, checked: false, includeHidden: true })
      .waitFor({ state: 'attached' });
    await dialog.getByRole('button', { name: 'Switch off without review' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await isOn(server(), params)).toBe(false);
  });

  it('evaluates a context with properties, as SDKs send it', async () => {
    const { featureName } = await givenEnabled(server());
    const { page, complaints } = await open(server(), { at: '/playground?environments=["development"]' });
    await page.getByText('JSON', { exact: true }).click();
    const context = { userId: 'ada', properties: { country: 'NL' } };
    await page.getByLabel('Context as JSON').fill(JSON.stringify(context));
    const [request] = await Promise.all([
      page.waitForRequest('**/api/admin/playground/advanced'),
      page.getByRole('button', { name: 'Evaluate flags' }).click(),
    ]);
    expect(request.postDataJSON().context).toMatchObject({ userId: 'ada', country: 'NL' });
    await page.getByRole('button', { name: `${featureName} in development: On. Why?` }).waitFor();
    expect(complaints()).toEqual([]);
  });

  it('evaluates the flags anew each time that the button is pressed, also for the same input', async () => {
    const params = await givenEnabled(server());
    const { page, complaints } = await open(server(), { at: '/playground?environments=["development"]' });
    await page.getByRole('button', { name: 'Evaluate flags' }).click();
    await page.waitForURL(/appName/);
    await page.getByRole('button', { name: `${params.featureName} in development: On. Why?` }).waitFor();
    await server().admin.call(
      'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off',
      {
        params,
      },
    );
    await page.getByRole('button', { name: 'Evaluate flags' }).click();
    await page.getByRole('button', { name: `${params.featureName} in development: Off. Why?` }).waitFor();
    expect(complaints()).toEqual([]);
  });

  it('shows the input of the shown results in the playground after going back', async () => {
    await givenEnabled(server());
    const { page, complaints } = await open(server(), {
      at: '/playground?environments=["development"]&context={"userId":"ada"}',
    });
    const value = page.getByLabel('Value of userId');
    await value.fill('bob');
    await page.getByRole('button', { name: 'Evaluate flags' }).click();
    await page.waitForURL(/bob/);
    expect(await value.inputValue()).toBe('bob');
    await page.goBack();
    await page.waitForURL(/ada/);
    await expect.poll(() => value.inputValue()).toBe('ada');
    expect(complaints()).toEqual([]);
  });

  it('lists a change request that is submitted while the list is open', async () => {
    const { params, author, id } = await givenDraft(server());
    const { page, complaints } = await open(server(), { at: '/change-requests?show=waiting' });
    await page.getByText('No change requests are waiting for you').waitFor();
    await setRequestState(author.client, params.projectId, id, 'In review');
    await page.getByRole('radio', { name: 'Waiting for me (1)' }).waitFor({ state: 'attached' });
    await page.getByRole('link', { name: `Change request #${id}` }).waitFor();
    await page.goto(`/projects/${params.projectId}/change-requests`);
    await page.getByText('In review').waitFor();
    await setRequestState(server().admin, params.projectId, id, 'Approved');
    await page.getByText('Approved').waitFor();
    expect(complaints()).toEqual([]);
  });

  it('shows a requested reviewer once, also when the approval arrives while the page is open', async () => {
    const { params, author, id, at } = await givenSent(server());
    const reviewer = await givenMember(server(), params.projectId, 4);
    await author.client.call('PUT /api/admin/projects/:projectId/change-requests/:id/approvers', {
      params: at,
      body: { reviewers: [reviewer.id] },
    });
    const { page, complaints } = await open(server(), { at: `/projects/${params.projectId}/change-requests/${id}` });
    const reviews = page.getByRole('region', { name: 'Approvals' });
    await reviews.getByText('Requested', { exact: true }).waitFor();
    await setRequestState(reviewer.client, params.projectId, id, 'Approved');
    await reviews.getByText('Approved', { exact: true }).waitFor();
    await reviews.getByText('Requested', { exact: true }).waitFor({ state: 'detached' });
    expect(complaints()).toEqual([]);
  });

  it('offers to edit the title of a change request only to its author', async () => {
    const { params, id } = await givenSent(server());
    const { page } = await open(server(), { at: `/projects/${params.projectId}/change-requests/${id}` });
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect(await page.getByRole('button', { name: 'Edit title' }).count()).toBe(0);
  });
});
