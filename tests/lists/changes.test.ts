import { describe, expect, it } from 'vitest';
import { itemAt } from '../../apps/server/src/kernel/lists.ts';
import { type GivenSet, givenActionPlace, givenSet, signal } from '../../apps/server/testing/actions.ts';
import { type FlagParams, givenEnabled, givenFlag } from '../../apps/server/testing/flags.ts';
import { givenHold } from '../../apps/server/testing/holds.ts';
import { type TestServer, useServer } from '../../apps/server/testing/server.ts';

// Each message to the database wakes it and is waited for: on PostgreSQL that costs more than most statements. The
// table holds how many messages the commonest changes take at most, with what they cause. A higher number is a change
// of this table, with its reason in the commit.

const flagPath = '/api/admin/projects/:projectId/features/:featureName';
const inEnvironment = `${flagPath}/environments/:environment` as const;

/** Makes the things that a change needs, and returns the change, which can be made again and again. */
type Prepare = (server: TestServer) => Promise<(round: number) => Promise<unknown>>;

const table: Readonly<Record<string, readonly [messages: number, Prepare]>> = {
  'a switch': [
    5,
    async (server) => {
      const params = await givenEnabled(server);
      return (round) => server.admin.call(`POST ${inEnvironment}/${round % 2 === 0 ? 'off' : 'on'}`, { params });
    },
  ],
  'a new flag': [8, async (server) => () => givenFlag(server)],
  'a flag that is archived': [
    7,
    async (server) => {
      const flags: FlagParams[] = [];
      for (let n = 0; n < maxRounds; n += 1) flags.push(await givenFlag(server));
      return (round) => server.admin.call(`DELETE ${flagPath}`, { params: itemAt(flags, round) });
    },
  ],
  'a new description': [
    5,
    async (server) => {
      const params = await givenFlag(server);
      return (round) => server.admin.call(`PUT ${flagPath}`, { params, body: { description: `round ${round}` } });
    },
  ],
  'a new tag': [
    10,
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
    7,
    async (server) => {
      const params = await givenEnabled(server);
      return () => server.admin.call(`POST ${inEnvironment}/strategies`, { params, body: rolloutOf(50) });
    },
  ],
  'another percentage': [
    5,
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
    10,
    async (server) => {
      const params = await givenEnabled(server);
      return (round) => givenHold(server, params, { effect: round % 2 === 0 ? 'off' : 'on', reason: `round ${round}` });
    },
  ],
  'a signal that no set waits for': [
    3,
    async (server) => {
      const place = await givenActionPlace(server);
      return (round) => signal(server, place, { round });
    },
  ],
  'a signal that no filter passes': [
    7,
    async (server) => {
      const place = await givenActionPlace(server);
      const payload = { status: { operator: 'IN', values: ['firing'] } };
      const match = { source: 'signal-endpoint', sourceId: place.endpoint.id, payload };
      const set = await givenSet(server, { match }, place);
      return (round) => signal(server, set, { round });
    },
  ],
  'a signal that sets a percentage': [
    11,
    async (server) => {
      const set = await givenSetOf(server, 'SET_ROLLOUT', { rollout: '{{share}}' });
      return (round) => signal(server, set, { share: round + 1 });
    },
  ],
  'a signal that holds a flag off': [
    15,
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

/** Returns how many messages with statements of changes have been sent so far. */
async function messagesSent(server: TestServer): Promise<number> {
  const lines = (await server.anonymous.call('GET /metrics')).text.split('\n');
  const line = lines.find((each) => each.startsWith('database_change_messages_total '));
  return Number(line?.split(' ').at(-1));
}

describe('the messages to the database of', () => {
  const server = useServer();

  it.each(Object.entries(table))('%s are not more than before', async (_name, [atMost, prepare]) => {
    const change = await prepare(server());
    let fewest = Number.POSITIVE_INFINITY;
    // Loops write now and then, so the smallest of several counts is that of the change.
    for (let round = 0; round < maxRounds && fewest > atMost; round += 1) {
      await server().app.service.alerts.settled();
      const before = await messagesSent(server());
      await change(round);
      await server().app.service.alerts.settled();
      fewest = Math.min(fewest, (await messagesSent(server())) - before);
    }
    expect(fewest).toBeLessThanOrEqual(atMost);
    expect(fewest).toBeGreaterThan(0);
  });
});
