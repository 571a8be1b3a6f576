import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenFlag } from '#testing/flags.ts';
import { givenIntegration } from '#testing/integrations.ts';
import { useReceiver } from '#testing/receiver.ts';
import { createStorage, startServer, type TestServer } from '#testing/server.ts';
import { onReads } from '#testing/statements.ts';

const receiver = useReceiver();
const statements: string[] = [];
const storage = await createStorage();
let server: TestServer;

beforeAll(async () => {
  const settings = { allowPrivateIntegrationUrls: true };
  server = await startServer(
    storage,
    settings,
    undefined,
    onReads((sql) => void statements.push(sql)),
  );
});

afterAll(async () => {
  await server?.stop();
  await storage.remove();
});

/** Returns the number of statements of a poll: the lowest of three counts, because other background work reads, too. */
async function statementsOfPoll(): Promise<number> {
  const counts: number[] = [];
  for (let tries = 0; tries < 3; tries++) {
    await server.app.service.deliveries.settled();
    statements.length = 0;
    await server.app.service.deliveries.idle();
    counts.push(statements.length);
  }
  return Math.min(...counts);
}

it('reads the newest event and the queue when nothing is to be sent, for any number of integrations', async () => {
  const parameters = { url: `${receiver().url}/hook` };
  for (let n = 0; n < 20; n++) await givenIntegration(server, { parameters, events: ['feature-created'] });
  await givenFlag(server);
  await server.app.service.deliveries.idle();
  expect(receiver().received).toHaveLength(20);
  expect(await statementsOfPoll()).toBeLessThanOrEqual(2);
});
