import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { givenIntegration } from '#testing/integrations.ts';
import { type MailServer, startMailServer } from '#testing/mail-server.ts';
import { useReceiver } from '#testing/receiver.ts';
import { createStorage, startServer, type TestServer } from '#testing/server.ts';
import { givenStorm, sendAlerts, stormEvents } from '#testing/storm.ts';

const receiver = useReceiver();
const minuteMs = 60_000;
/** Few flags: what a restart in the middle does to a storm does not depend on its size. */
const size = 8;
const adminToken = `*:*.${'ab'.repeat(28)}`;
let mailServer: MailServer;

beforeAll(async () => {
  mailServer = await startMailServer({ disabledCommands: ['STARTTLS'] });
});
afterAll(() => mailServer.close());
beforeEach(() => {
  receiver().received.splice(0);
  mailServer.received.splice(0);
});

/** A server that can be started again with the same database and clock. */
async function startRestartable() {
  const storage = await createStorage();
  const settings = {
    ...{ allowPrivateIntegrationUrls: true, initAdminTokens: [adminToken] },
    ...{ emailHost: '127.0.0.1', emailPort: mailServer.port, emailSender: 'yardarm@example.com' },
  };
  let running = await startServer(storage, settings);
  const { clock } = running;
  return {
    server: () => running,
    restart: async () => {
      await running.stop();
      running = await startServer(storage, settings, clock);
    },
    remove: async () => {
      await running.stop();
      await storage.remove();
    },
  };
}

const idle = (server: TestServer) => server.app.service.deliveries.idle();
const pass = async (server: TestServer, ms: number) => {
  server.clock.advance(ms);
  await idle(server);
};

/** The receivers that cannot update a message: their parameters, and the texts that they received. */
const receivers: Readonly<Record<string, { readonly parameters: () => object; readonly texts: () => string[] }>> = {
  slack: {
    parameters: () => ({ url: `${receiver().url}/slack` }),
    texts: () => receiver().received.map(({ body }) => body),
  },
  email: {
    parameters: () => ({ recipients: 'on-call@example.com' }),
    texts: () => mailServer.received.map(({ text }) => text),
  },
};

/** The moments of a storm at which the server stops and starts again. */
const moments = [
  'never',
  'before the first message',
  'before the further flags are seen',
  'while the digest waits',
  'when the digest is due',
  'before the end is told',
] as const;

describe.each(Object.entries(receivers))('the messages of %s about a storm', (provider, { parameters, texts }) => {
  it.each(moments)(
    'are one at its beginning, one digest and one at its end, when the server is restarted: %s',
    async (moment) => {
      const { server, restart, remove } = await startRestartable();
      const reach = async (reached: (typeof moments)[number]) => {
        if (reached === moment) await restart();
      };
      await givenIntegration(server(), { provider, parameters: parameters(), events: stormEvents });
      const { place, flags } = await givenStorm(server(), size);
      const [one = '', ...rest] = flags;
      await sendAlerts(server(), place, [one], 'firing');
      await reach('before the first message');
      await idle(server());
      expect(texts()).toHaveLength(1);
      expect(texts()[0]).toContain(one);
      server().clock.advance(1000);
      await sendAlerts(server(), place, rest, 'firing');
      await reach('before the further flags are seen');
      await pass(server(), 4 * minuteMs);
      await reach('while the digest waits');
      expect(texts()).toHaveLength(1);
      server().clock.advance(minuteMs);
      await reach('when the digest is due');
      await idle(server());
      expect(texts()).toHaveLength(2);
      expect(texts()[1]).toContain(`${size - 1} × flag held`);
      await pass(server(), 6 * minuteMs);
      expect(texts()).toHaveLength(2);
      await sendAlerts(server(), place, flags, 'resolved');
      await reach('before the end is told');
      await idle(server());
      expect(texts()).toHaveLength(3);
      expect(texts()[2]).toContain('Over: nothing is held any more');
      await pass(server(), 6 * minuteMs);
      expect(texts()).toHaveLength(3);
      await remove();
    },
  );
});
