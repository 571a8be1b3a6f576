import { expect, it } from 'vitest';
import { systemClock } from '#kernel/clock.ts';
import { addRecorded, author, useDatabase } from '#testing/database.ts';
import { changeIntegration, createIntegration, type IntegrationInput } from './commands.ts';
import { FanOut } from './fan-out.ts';

const given = useDatabase();
const lifetimeMs = 60_000;
const input: IntegrationInput = {
  provider: 'webhook',
  enabled: true,
  parameters: { url: 'https://receiver.example.com/hook' },
  events: ['signal-endpoint-created'],
  projects: [],
  environments: [],
  seesAll: true,
};

async function givenIntegrationId(): Promise<number> {
  const { database } = given();
  return (await database.write(author, (tx) => createIntegration(tx, input, 'hmac-sha256'))).integration.id;
}

/** Queues deliveries. `meanwhile` runs once, after the first events are read and before their deliveries are stored. */
async function queue(meanwhile: () => Promise<unknown>): Promise<void> {
  const { database } = given();
  let before: (() => Promise<unknown>) | undefined = meanwhile;
  const writeQuietly: typeof database.writeQuietly = async (...write) => {
    const first = before;
    before = undefined;
    await first?.();
    return database.writeQuietly(...write);
  };
  await new FanOut({ ...database, writeQuietly }, systemClock, lifetimeMs).run();
}

/** Records an event that integrations subscribe to, and returns its id. */
async function record(name: string): Promise<number> {
  const { database } = given();
  await database.write(author, addRecorded(name));
  const newest = await database.db.selectFrom('events').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  return newest.id;
}

/** Returns the integrations for which deliveries of an event are queued. */
async function receiversOf(eventId: number): Promise<(number | null)[]> {
  const { db } = given().database;
  const rows = await db.selectFrom('deliveries').select('integration_id').where('event_id', '=', eventId).execute();
  return rows.map((row) => row.integration_id);
}

function disable(id: number) {
  return given().database.write(author, (tx) => changeIntegration(tx, id, { ...input, enabled: false }));
}

it('an event that another process queues meanwhile is queued once', async () => {
  const id = await givenIntegrationId();
  const eventId = await record('an-event');
  await queue(() => new FanOut(given().database, systemClock, lifetimeMs).run());
  expect(await receiversOf(eventId)).toEqual([id]);
  await disable(id);
});

it('an event is not queued for an integration that is disabled meanwhile', async () => {
  const [disabled, kept] = [await givenIntegrationId(), await givenIntegrationId()];
  const eventId = await record('another-event');
  await queue(() => disable(disabled));
  expect(await receiversOf(eventId)).toEqual([kept]);
});

it('an event that is not queued yet when its integration changes is queued afterwards', async () => {
  const id = await givenIntegrationId();
  const eventId = await record('a-third-event');
  const events = [...input.events, 'feature-created'];
  await given().database.write(author, (tx) => changeIntegration(tx, id, { ...input, events }));
  await new FanOut(given().database, systemClock, lifetimeMs).run();
  expect(await receiversOf(eventId)).toContain(id);
  await disable(id);
});

it('events are queued that come after more unwanted ones than are read at a time', async () => {
  const { database } = given();
  const byOthers: IntegrationInput = { ...input, actors: [author.actor.userId + 1] };
  const { integration } = await database.write(author, (tx) => createIntegration(tx, byOthers, 'hmac-sha256'));
  for (let n = 0; n < 120; n++) await database.write(author, addRecorded(`unwanted-${n}`));
  const other = { ...author, actor: { ...author.actor, userId: author.actor.userId + 1 } };
  await database.write(other, addRecorded('wanted'));
  const newest = await database.db.selectFrom('events').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  await new FanOut(database, systemClock, lifetimeMs).run();
  expect(await receiversOf(newest.id)).toContain(integration.id);
  await disable(integration.id);
});

it('events are queued while another integration has as many waiting messages as it may', async () => {
  const { database } = given();
  const full = await givenIntegrationId();
  for (let n = 0; n < 450; n++) await database.write(author, addRecorded(`waiting-${n}`));
  await new FanOut(database, systemClock, lifetimeMs).run();
  const free = await givenIntegrationId();
  const eventId = await record('after-the-others');
  const fanOut = new FanOut(database, systemClock, lifetimeMs);
  expect([await fanOut.run(), await receiversOf(eventId)]).toEqual([true, expect.arrayContaining([free])]);
  expect(await receiversOf(eventId)).not.toContain(full);
  for (const id of [full, free]) await disable(id);
});
