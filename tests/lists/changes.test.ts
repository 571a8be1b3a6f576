import { describe, expect, it } from 'vitest';
import { itemAt } from '../../apps/server/src/kernel/lists.ts';
import { type GivenSet, givenActionPlace, givenSet, signal } from '../../apps/server/testing/actions.ts';
import { type FlagParams, givenEnabled, givenFlag } from '../../apps/server/testing/flags.ts';
import { givenHold } from '../../apps/server/testing/holds.ts';
import { engine, type TestServer, useServer } from '../../apps/server/testing/server.ts';

// Each message to the database wakes it and is waited for: on PostgreSQL that costs more than most statements. The
// table holds how many statements the commonest changes take, and in how many messages they are sent. A new number is a
// change of this table, with its reason in the commit.

interface Costs {
  readonly statements: number;
  readonly messages: number;
}

/** The costs on SQLite, and those on PostgreSQL where they differ: there, quiet writes have commits of their own. */
type Expected = readonly [onSqlite: Costs, onPostgres?: Costs];

const flagPath = '/api/admin/projects/:projectId/features/:featureName';
const inEnvironment = `${flagPath}/environments/:environment` as const;

/** Makes the things that a change needs, and returns the change, which can be made again and again. */
type Prepare = (server: TestServer) => Promise<(round: number) => Promise<unknown>>;

const table: Readonly<Record<string, readonly [Expected, Prepare]>> = {
  'a switch': [
    [{ statements: 23, messages: 5 }],
    async (server) => {
      const params = await givenEnabled(server);
      return (round) => server.admin.call(`POST ${inEnvironment}/${round % 2 === 0 ? 'off' : 'on'}`, { params });
    },
  ],
  'a new flag': [[{ statements: 23, messages: 8 }], async (server) => () => givenFlag(server)],
  'a flag that is archived': [
    [{ statements: 14, messages: 7 }],
    async (server) => {
      const flags: FlagParams[] = [];
      for (let n = 0; n < maxRounds; n += 1) flags.push(await givenFlag(server));
      return (round) => server.admin.call(`DELETE ${flagPath}`, { params: itemAt(flags, round) });
    },
  ],
  'a new description': [
    [{ statements: 20, messages: 5 }],
    async (server) => {
      const params = await givenFlag(server);
      return (round) => server.admin.call(`PUT ${flagPath}`, { params, body: { description: `round ${round}` } });
    },
  ],
  'a new tag': [
    [{ statements: 15, messages: 10 }],
    async (server) => {
      const { featureName } = await givenFlag(server);
      return (round) =>
        server.admin.call('POST /api/admin/features/:featureName/tags', {
          params: { featureName },
          body: { type: 'simple', value: `round-${round}` },
        });
    },
  ],
  'a new strategy': [
    [{ statements: 14, messages: 7 }],
    async (server) => {
      const params = await givenEnabled(server);
      return () => server.admin.call(`POST ${inEnvironment}/strategies`, { params, body: rolloutOf(50) });
    },
  ],
  'another percentage': [
    [{ statements: 15, messages: 5 }],
    async (server) => {
      const params = await givenEnabled(server);
      const { json } = await server.admin.call(`GET ${inEnvironment}/strategies`, { params });
      return (round) =>
        server.admin.call(`PUT ${inEnvironment}/strategies/:strategyId`, {
          params: { ...params, strategyId: json[0].id },
          body: rolloutOf(round + 1),
        });
    },
  ],
  'a hold by a person that changes': [
    [{ statements: 27, messages: 10 }],
    async (server) => {
      const params = await givenEnabled(server);
      return (round) => givenHold(server, params, { effect: round % 2 === 0 ? 'off' : 'on', reason: `round ${round}` });
    },
  ],
  'a signal that no set waits for': [
    [{ statements: 5, messages: 3 }],
    async (server) => {
      const place = await givenActionPlace(server);
      return (round) => signal(server, place, { round });
    },
  ],
  'a signal that no filter passes': [
    [
      { statements: 13, messages: 6 },
      { statements: 13, messages: 7 },
    ],
    async (server) => {
      const place = await givenActionPlace(server);
      const payload = { status: { operator: 'IN', values: ['firing'] } };
      const match = { source: 'signal-endpoint', sourceId: place.endpoint.id, payload };
      const set = await givenSet(server, { match }, place);
      return (round) => signal(server, set, { round });
    },
  ],
  'a signal that sets a percentage': [
    [
      { statements: 37, messages: 10 },
      { statements: 37, messages: 11 },
    ],
    async (server) => {
      const set = await givenSetOf(server, 'SET_ROLLOUT', { rollout: '{{share}}' });
      return (round) => signal(server, set, { share: round + 1 });
    },
  ],
  'a signal that holds a flag off': [
    [
      { statements: 44, messages: 14 },
      { statements: 44, messages: 15 },
    ],
    async (server) => {
      const set = await givenSetOf(server, 'HOLD_FEATURE', { effect: 'off', key: '{{round}}' });
      return (round) => signal(server, set, { round });
    },
  ],
};

/** How often a change is made at most. */
const maxRounds = 20;

function rolloutOf(rollout: number) {
  const parameters = { rollout: String(rollout), stickiness: 'default', groupId: 'costs' };
  return { name: 'flexibleRollout', parameters };
}

/** Creates a set with one action on a flag that is on with a gradual rollout. */
async function givenSetOf(server: TestServer, action: string, params: object): Promise<GivenSet> {
  const place = await givenActionPlace(server);
  const flag = { project: place.projectId, environment: 'development', featureName: place.flag.featureName };
  await server.admin.call(`POST ${inEnvironment}/strategies`, { params: place.flag, body: rolloutOf(100) });
  await server.admin.call(`POST ${inEnvironment}/on`, { params: place.flag });
  return givenSet(server, { actions: [{ action, sortOrder: 1, executionParams: { ...flag, ...params } }] }, place);
}

/** Reads the costs so far from the metrics, without those of the readings, which read the database themselves. */
class Meter {
  readonly #server: TestServer;
  #perReading = 0;
  #readings = 0;

  private constructor(server: TestServer) {
    this.#server = server;
  }

  static async start(server: TestServer): Promise<Meter> {
    const meter = new Meter(server);
    // Three readings in a row that take the same: nothing else works meanwhile.
    for (let [before, last, same] = [0, 0, 0]; same < 3; ) {
      const { statements } = await meter.#read();
      same = statements - before === last ? same + 1 : 0;
      [last, before] = [statements - before, statements];
      meter.#perReading = last;
    }
    return meter;
  }

  /** Returns the costs so far when the work of earlier changes has ended. */
  async settled(): Promise<Costs> {
    for (let before = await this.#read(); ; ) {
      const now = await this.#read();
      if (now.statements - before.statements === this.#perReading)
        return { ...now, statements: now.statements - this.#readings * this.#perReading };
      before = now;
    }
  }

  async #read(): Promise<Costs> {
    this.#readings += 1;
    const lines = (await this.#server.anonymous.call('GET /metrics')).text.split('\n');
    const sum = (start: string) =>
      lines.filter((line) => line.startsWith(start)).reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
    return {
      statements: sum('database_statement_duration_seconds_count'),
      messages: sum('database_change_messages_total'),
    };
  }
}

describe('the costs of', () => {
  const server = useServer();

  it.each(Object.entries(table))('%s', async (_name, [[onSqlite, onPostgres = onSqlite], prepare]) => {
    const change = await prepare(server());
    const meter = await Meter.start(server());
    const expected = engine === 'sqlite' ? onSqlite : onPostgres;
    const costs = { statements: Number.POSITIVE_INFINITY, messages: Number.POSITIVE_INFINITY };
    const isMore = () => costs.statements > expected.statements || costs.messages > expected.messages;
    // Loops look for work now and then, so the smallest of several counts is that of the change.
    for (let round = 0; round < maxRounds && isMore(); round += 1) {
      const before = await meter.settled();
      await change(round);
      const after = await meter.settled();
      costs.statements = Math.min(costs.statements, after.statements - before.statements);
      costs.messages = Math.min(costs.messages, after.messages - before.messages);
    }
    expect(costs.statements).toBe(expected.statements);
    // Changes that happen to share a commit take fewer.
    expect(costs.messages).toBeLessThanOrEqual(expected.messages);
  });
});
