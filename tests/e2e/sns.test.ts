import { describe, expect, it } from 'vitest';
import { useServer } from '../../apps/server/testing/server.ts';
import { createSnsSender, topic } from '../../apps/server/testing/sns.ts';
import { expectAccessible, useBrowser } from './browser.ts';

const sender = createSnsSender();

describe('an endpoint for Amazon SNS', () => {
  const server = useServer({}, sender.fetchText);
  const open = useBrowser();

  it('gets a token for a topic, and its subscription is confirmed and ended with a click', async () => {
    const body = { name: 'alarms', source: 'sns' } as const;
    await server().admin.call('POST /api/admin/signal-endpoints', { body });
    const { page } = await open(server(), { at: '/integrations/signals' });
    await page.getByRole('button', { name: 'Actions for alarms' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Token name').fill('account of the shop');
    await page.getByLabel('Topic ARN').fill(topic);
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await page.getByText('The token takes messages of these topics.').waitFor();
    const message = {
      Type: 'SubscriptionConfirmation',
      MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
      TopicArn: topic,
      Token: '1',
      Message: 'You have chosen to subscribe.',
      SubscribeURL: `https://sns.eu-north-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}&Token=1`,
      Timestamp: new Date(server().clock.now()).toISOString(),
    };
    const sent = await server().anonymous.request('POST', '/api/signal-endpoint/alarms', {
      raw: sender.sign(message),
      headers: { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': message.Type },
    });
    expect(sent.status).toBe(200);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText('Waits to be confirmed').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: `Confirm ${topic}` }).click();
    await page.getByText('Confirmed', { exact: true }).waitFor();
    await page.getByRole('button', { name: `End ${topic}` }).click();
    await page.getByRole('button', { name: 'End subscription' }).click();
    await page.getByText('Ended', { exact: true }).waitFor();
  });
});
