import { describe, expect, it } from 'vitest';
import { givenRole, giveRoles } from '../../apps/server/testing/access.ts';
import { givenReview } from '../../apps/server/testing/change-requests.ts';
import { addStrategy, givenFlag, givenProject } from '../../apps/server/testing/flags.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { givenSegment } from '../../apps/server/testing/segments.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { expectAccessible, useBrowser } from './browser.ts';

const refused = /status of 403/;

describe('break glass where review is binding', () => {
  const server = useServer({ bindingReview: true });
  const open = useBrowser();

  it('requires a reason, and is acknowledged by another person', async () => {
    const projectId = await givenProject(server());
    const params = { ...(await givenFlag(server(), {}, projectId)), environment: 'production' };
    await givenReview(server(), projectId, 'production');
    const breaker = await givenUser(server());
    const { id: role } = await givenRole(server(), { permissions: [{ name: 'BREAK_GLASS_CHANGE_REQUEST' }] });
    await giveRoles(server(), projectId, [4, role], { users: [breaker.id] });

    const first = await open(server(), { at: `/projects/${projectId}/features/${params.featureName}`, as: breaker });
    const { page } = first;
    await page.getByRole('switch', { name: `${params.featureName} in production` }).press(' ');
    await page.getByRole('button', { name: 'Switch on with break-glass' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Checkout is down, INC-7');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make the change without review' }).click();
    await page.getByText(`${params.featureName} is on in production.`).waitFor();
    await page.goto('/change-requests');
    await page.getByText('Another person must acknowledge this.').waitFor();
    expect(first.complaints().filter((complaint) => !refused.test(complaint))).toEqual([]);

    const second = await open(server(), { at: '/change-requests' });
    await second.page.getByText('Checkout is down, INC-7').waitFor();
    await expectAccessible(second.page);
    await second.page.getByRole('button', { name: /^Acknowledge change without review .* as justified/ }).click();
    await second.page.getByLabel('Note').fill('Checkout was down');
    await second.page.getByRole('button', { name: 'Acknowledge', exact: true }).click();
    await second.page.getByText('Checkout is down, INC-7').waitFor({ state: 'detached' });
    expect(second.complaints()).toEqual([]);
  });

  it('lets an import ask for the reason when only the review is missing', async () => {
    const projectId = await givenProject(server());
    const { featureName } = await givenFlag(server(), {}, projectId);
    await givenReview(server(), projectId, 'production');
    const breaker = await givenUser(server());
    const { id: role } = await givenRole(server(), { permissions: [{ name: 'BREAK_GLASS_CHANGE_REQUEST' }] });
    await giveRoles(server(), projectId, [4, role], { users: [breaker.id] });
    const data = {
      features: [{ name: featureName }],
      featureEnvironments: [{ name: 'production', featureName, environment: 'production', enabled: true }],
      featureStrategies: [{ name: 'default', featureName }],
    };
    const { page, complaints } = await open(server(), { at: `/projects/${projectId}/settings/transfer`, as: breaker });
    const section = page.getByRole('region', { name: 'Import' });
    await section.getByRole('combobox', { name: 'Environment' }).click();
    await page.getByRole('option', { name: 'production' }).click();
    await section.getByRole('textbox', { name: 'Export' }).fill(JSON.stringify(data));
    await section.getByRole('button', { name: 'Check import' }).click();
    await section.getByText('Changes in production require review').waitFor();
    await expectAccessible(page);
    await section.getByRole('button', { name: 'Import into production with break-glass' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Restore after INC-7');
    await page.getByRole('button', { name: 'Make the change without review' }).click();
    await page.getByText('Imported into production').waitFor();
    expect(complaints().filter((complaint) => !refused.test(complaint))).toEqual([]);
  });

  it('puts a shared segment into a change request of a project that uses it', async () => {
    const projectId = await givenProject(server());
    const { id, name } = await givenSegment(server());
    const params = { ...(await givenFlag(server(), {}, projectId)), environment: 'production' };
    await addStrategy(server(), params, { name: 'default', segments: [id] });
    await givenReview(server(), projectId, 'production');
    const { page, complaints } = await open(server(), { at: '/segments' });
    await page.getByText(name).first().waitFor();
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('Description').fill('People in Norway');
    await page.getByRole('button', { name: 'Add to draft change request' }).click();
    await page.getByText(/Added to your draft, change request #/).waitFor();
    const found = await server().admin.call('GET /api/admin/segments/:id', { params: { id } });
    expect(found.json.description).toBeNull();
    expect(complaints()).toEqual([]);
  });
});
