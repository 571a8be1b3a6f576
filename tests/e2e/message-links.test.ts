import { automationEventTypes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { givenGroup } from '../../apps/server/testing/access.ts';
import { calling, givenSet, signal } from '../../apps/server/testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '../../apps/server/testing/alerts.ts';
import { givenIntegration } from '../../apps/server/testing/integrations.ts';
import { givenUser } from '../../apps/server/testing/people.ts';
import { useReceiver } from '../../apps/server/testing/receiver.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { send } from '../../apps/server/testing/signals.ts';
import { freeze, override } from '../../apps/server/testing/stops.ts';
import { settled, useBrowser } from './browser.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000, allowPrivateIntegrationUrls: true });
const receiver = useReceiver();
const open = useBrowser();

/** Makes events about a hold, a run, an endpoint, an override and a freeze, and returns their messages. */
async function givenMessages(): Promise<readonly string[]> {
  const place = await givenAlertPlace(server());
  const parameters = { url: `${receiver().url}/slack` };
  await givenIntegration(server(), { provider: 'slack', parameters, events: automationEventTypes });
  await givenSet(server(), holdingAlerts(place), place);
  await givenSet(server(), { actions: [calling(place, 'https://8.8.8.8/{{missing}}')] }, place);
  await signal(server(), place, { alerts: [{ status: 'firing', fingerprint: 'a' }] });
  await send(server(), { ...place.endpoint, token: 'signal_wrong' }, '{}');
  await server().app.service.securityEvents.refusedSignals.flush();
  await override(server(), place.flag);
  await freeze(server(), true);
  await freeze(server(), false);
  const expected = [/held/, /Action failed|failed/, /refused/, /overrid|keeps/, /froze/, /resumed/];
  const messages = () => receiver().received.map(({ body }) => body);
  await expect
    .poll(() => expected.filter((words) => !messages().some((text) => words.test(text))).map(String))
    .toEqual([]);
  return messages();
}

/** Returns the paths of the links in messages of Slack, each once. */
function linksIn(messages: readonly string[]): string[] {
  const links = messages.flatMap((text) => [...text.matchAll(/<(https?:[^|>]+)\|/g)].map(([, url = '']) => url));
  return [...new Set(links)].map((link) => new URL(link)).map(({ pathname, search }) => pathname + search);
}

describe('the pages that messages link', () => {
  it.each(['Viewer', 'Editor'])('are no dead ends for a person on call who is a %s', async (rootRole) => {
    const pages = linksIn(await givenMessages());
    expect(pages.length).toBeGreaterThan(8);
    const person = await givenUser(server(), rootRole);
    const { json } = await server().admin.call('GET /api/admin/roles');
    const onCall = json.roles.find(({ name }: { name: string }) => name === 'On call');
    await givenGroup(server(), [person.id], { rootRole: onCall.id });
    const window = await open(server(), { at: '/', as: person, width: 390 });
    const { page } = window;
    const dead: unknown[] = [];
    for (const path of pages) {
      await page.goto(path);
      await page.getByRole('main').waitFor();
      await settled(window);
      const texts = await page
        .getByText(/You do not have access|^You need the permission|Loading failed|was not found|not visible to you/)
        .filter({ visible: true })
        .allTextContents();
      // An address with a query opens the thing that it names.
      const isOpen = !path.includes('?') || (await page.getByRole('dialog').count()) === 1;
      const complaints = window.complaints();
      if (!isOpen || texts.length > 0 || complaints.length > 0) dead.push({ path, isOpen, texts, complaints });
    }
    expect(dead).toEqual([]);
  });
});
