import { type EventClass, type EventType, typesOfEventClass } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { tablesInOrder } from '#storage/backup/table-order.ts';
import { sql } from '#storage/tx.ts';
import { calling, givenActionPlace, givenFailedCall, givenSet, signal } from '#testing/actions.ts';
import { givenEnabled } from '#testing/flags.ts';
import { asNewUser } from '#testing/people.ts';
import { useServer } from '#testing/server.ts';
import { send } from '#testing/signals.ts';
import { givenSdk } from '#testing/tokens.ts';

const eventClasses = Object.keys(typesOfEventClass) as EventClass[];
const month = 30;
const dayMs = 86_400_000;

/** The tables with evidence: each has rows that end with their retention, and none of them while a hold is in force. */
const evidence = [
  ...['events', 'signals', 'action_runs', 'action_effects', 'action_calls'],
  ...['deliveries', 'delivery_attempts', 'login_history', 'login_delays'],
  ...['incidents', 'incident_events'],
];

/** Tables that lose rows while a hold is in force: what SDKs report is no evidence. */
const passing = ['client_applications', 'application_scopes', 'application_instances'];

describe('a legal hold', () => {
  const server = useServer({
    signalEndpointsLimit: 1000,
    signalRetentionDays: month,
    loginHistoryRetentionDays: month,
    eventRetentionChangesDays: month,
    eventRetentionSignInDays: month,
    eventRetentionRefusalsDays: month,
    eventRetentionOperationsDays: month,
  });
  const setHold = (enabled: boolean) =>
    server().admin.call('POST /api/admin/legal-hold', { body: { enabled, reason: 'Case 4711' } });

  async function countRows(): Promise<Readonly<Record<string, number>>> {
    const { db } = server().app.database;
    const counts: Record<string, number> = {};
    for (const table of tablesInOrder) {
      const { rows } = await sql<{ n: number | string }>`select count(*) as n from ${sql.table(table)}`.execute(db);
      counts[table] = Number(rows[0]?.n);
    }
    return counts;
  }

  /** Returns the number of events of each class that has any. */
  async function countEvents(): Promise<Readonly<Record<string, number>>> {
    const rows = await server().app.database.db.selectFrom('events').select('type').execute();
    const classes = Map.groupBy(rows, ({ type }) =>
      eventClasses.find((each) => typesOfEventClass[each].includes(type as EventType)),
    );
    return Object.fromEntries([...classes].map(([name, events]) => [name, events.length]));
  }

  /** Lets years pass, and the jobs run. */
  async function passYears(years: number): Promise<void> {
    server().clock.advance(years * 365 * dayMs);
    for (let hour = 0; hour < 5; hour++) {
      server().clock.advance(dayMs / 24);
      await server().app.service.jobs.runDue();
    }
  }

  it('keeps each row of each table of evidence, whose old rows go when it ends', async () => {
    const place = await givenActionPlace(server());
    await givenSet(server(), {}, place);
    await givenSet(server(), { actions: [calling(place, 'https://8.8.8.8/{{missing}}')] }, place);
    await signal(server(), place);
    await send(server(), { name: place.endpoint.name, token: 'signal_wrong' }, '{}');
    await givenFailedCall(server());
    await asNewUser(server());
    await server().anonymous.call('POST /auth/simple/login', { body: { username: 'admin', password: 'wrong' } });
    await givenEnabled(server());
    const sdk = await givenSdk(server());
    await sdk.call('POST /api/client/register', { body: { appName: 'a', instanceId: 'i', strategies: [] } });
    await server().app.service.usage.flush();
    const { failedLogins, refusedSignals } = server().app.service.securityEvents;
    await Promise.all([failedLogins.flush(), refusedSignals.flush()]);
    expect((await server().admin.call('GET /api/admin/incidents')).json.total).toBeGreaterThan(0);
    await setHold(true);
    const [before, events] = [await countRows(), await countEvents()];
    expect(Object.keys(events).sort()).toEqual([...eventClasses].sort());
    expect(evidence.filter((table) => before[table] === 0)).toEqual([]);
    await passYears(9);
    const held = await countRows();
    expect(evidence.filter((table) => (held[table] ?? 0) < (before[table] ?? 0))).toEqual([]);
    const heldEvents = await countEvents();
    expect(eventClasses.filter((each) => (heldEvents[each] ?? 0) < (events[each] ?? 0))).toEqual([]);
    const gone = tablesInOrder.filter((table) => (held[table] ?? 0) < (before[table] ?? 0));
    expect(gone.toSorted()).toEqual(passing.toSorted());
    await setHold(false);
    await passYears(1);
    const releasedEvents = await countEvents();
    expect(eventClasses.filter((each) => (releasedEvents[each] ?? 0) >= (heldEvents[each] ?? 0))).toEqual([]);
    const released = await countRows();
    expect(evidence.filter((table) => (released[table] ?? 0) >= (held[table] ?? 0))).toEqual([]);
    // A table that loses rows only after the hold holds evidence too: it belongs to the list above.
    const lost = tablesInOrder.filter(
      (table) => held[table] === before[table] && (released[table] ?? 0) < (before[table] ?? 0),
    );
    expect(lost.filter((table) => !evidence.includes(table))).toEqual([]);
  });
});
