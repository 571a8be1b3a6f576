import { expect } from 'vitest';
import type { Acting, Said } from './acting.ts';
import type { Query } from './storage.ts';

interface StoredRun {
  readonly id: number;
  readonly signal_id: number;
  readonly state: string;
  readonly action_set: string;
}

/** Observations made while servers were killed. */
export interface Seen {
  /** Signals that were acknowledged. */
  readonly acknowledged: readonly number[];
  /**
   * The keys under which the flag was held when all signals had been handled, and the ids of the signals that then
   * released these holds.
   */
  readonly held: readonly string[];
  readonly releasing: readonly number[];
  /** The idempotency keys of the received calls, one for each time a call was received. */
  readonly calls: readonly string[];
}

/**
 * Expects that each stored signal was handled exactly once, in order, and caused its changes and no others. Returns
 * their number.
 */
export async function expectHandledOnce(query: Query, acting: Acting, seen: Seen): Promise<number> {
  const rows = await query<{ id: number; payload: string }>('select id, payload from signals order by id');
  const signals = rows.map(({ id, payload }) => ({ id: Number(id), said: JSON.parse(payload) as Said }));
  const runs = await query<StoredRun>('select id, signal_id, state, action_set from action_runs order by id');
  const stored = new Set(signals.map(({ id }) => id));
  expect(seen.acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  // Each signal has one run, and the runs have the order of the signals.
  expect(runs.map((run) => Number(run.signal_id))).toEqual(signals.map(({ id }) => id));
  const idle = new Set(idleReleases(signals));
  const unlike = runs.filter(({ signal_id, state }) => state !== (idle.has(Number(signal_id)) ? 'skipped' : 'success'));
  expect(unlike).toEqual([]);
  await expectRecorded(query, runs);
  const turned = signals.findLast(({ said }) => said.state === 'on' || said.state === 'off')?.said.state;
  const [flag] = await query<{ enabled: number }>(
    `select enabled from feature_environments where feature_name = '${acting.switched}' and environment = 'development'`,
  );
  expect(Number(flag?.enabled)).toBe(turned === 'on' ? 1 : 0);
  await expectNoHoldLeaked(query, signals, seen);
  await expectCalled(query, signals, seen);
  return signals.length;
}

/** Expects that the record of each run lists exactly the events of the run. */
async function expectRecorded(query: Query, runs: readonly StoredRun[]): Promise<void> {
  const events = await query<{ run_id: number; signal_id: number; type: string }>(
    'select run_id, signal_id, type from events where run_id is not null order by id',
  );
  const recorded = runs.flatMap((run) => {
    // The prefix of a sealed column whose values are not encrypted.
    const { actions } = JSON.parse(run.action_set.replace(/^plain:/, '')) as {
      actions: { changes: { type: string }[] }[];
    };
    return actions.flatMap(({ changes }) => changes.map(({ type }) => `${run.id} ${run.signal_id} ${type}`));
  });
  expect(events.map((event) => `${event.run_id} ${event.signal_id} ${event.type}`)).toEqual(recorded);
}

type Signals = readonly { readonly id: number; readonly said: Said }[];

/** Returns the signals that release flags which are not held when the signals arrive. */
function idleReleases(signals: Signals): number[] {
  const held = new Set<string>();
  const idle: number[] = [];
  for (const { id, said } of signals) {
    if (said.state === 'hold') held.add(said.key);
    else if (said.state === 'release' && !held.delete(said.key)) idle.push(id);
  }
  return idle;
}

/**
 * Expects that, before the release of all holds, the flag was held under the keys that the signals imply, and that no
 * hold remains after it.
 */
async function expectNoHoldLeaked(query: Query, signals: Signals, { held, releasing }: Seen): Promise<void> {
  const expected = new Set<string>();
  const changes: string[] = [];
  for (const { id, said } of signals) {
    if (id === releasing[0]) expect([...expected].sort()).toEqual(held);
    if (said.state === 'hold' && !expected.has(said.key)) {
      expected.add(said.key);
      changes.push(`feature-lease-placed ${said.key}`);
    } else if (said.state === 'release' && expected.delete(said.key)) {
      changes.push(`feature-lease-released ${said.key}`);
    }
  }
  const events = await query<{ type: string; data: string | null; pre_data: string | null }>(
    `select type, data, pre_data from events where type in
      ('feature-lease-placed', 'feature-lease-released', 'feature-lease-expired') order by id`,
  );
  const keyIn = (text: string | null) => (JSON.parse(text ?? '{}') as { heldBy?: { key: string } }).heldBy?.key;
  expect(events.map(({ type, data, pre_data }) => `${type} ${keyIn(data) ?? keyIn(pre_data)}`)).toEqual(changes);
  expect(await query('select id from feature_leases')).toEqual([]);
  expect(await query('select feature_name from feature_environments where lease_id is not null')).toEqual([]);
}

/** Expects that each requested call arrived at least once, under its own key, and that nothing else arrived. */
async function expectCalled(query: Query, signals: Signals, { calls }: Seen): Promise<void> {
  const rows = await query<{ idempotency_key: string; signal_id: number; state: string }>(
    `select d.message_id as idempotency_key, d.state, r.signal_id from action_calls c
      join deliveries d on d.call_id = c.id join action_runs r on r.id = c.run_id order by c.id`,
  );
  const calling = signals.filter(({ said }) => said.state === 'call').map(({ id }) => id);
  expect(rows.map(({ signal_id }) => Number(signal_id))).toEqual(calling);
  expect(rows.filter(({ state }) => state !== 'delivered')).toEqual([]);
  expect([...new Set(calls)].sort()).toEqual(rows.map((row) => row.idempotency_key).sort());
}
