import { expect } from 'vitest';
import { givenRunHold } from '#testing/actions.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const list = 'GET /api/admin/acknowledgements';
const set = 'POST /api/admin/acknowledgements';

/** Returns the request that acknowledges the hold of a run. */
async function held(server: TestServer) {
  const { featureName } = await givenRunHold(server);
  const { leases } = (await server.admin.call('GET /api/admin/leases')).json;
  const lease = leases.find((one: { readonly featureName: string }) => one.featureName === featureName);
  return { body: { subjects: [`hold:${lease.id}`] } };
}

const acknowledged = async (server: TestServer) => {
  const call = await held(server);
  await server.admin.call(set, call);
  return call;
};
const shown = { subject: expect.stringMatching(/^hold:\d+$/), by: 'admin', at: expect.any(String) };

export const acknowledgementScenarios: readonly Scenario[] = [
  {
    route: set,
    name: 'shows that the caller looks after a hold of an action',
    given: held,
    answer: { acknowledgements: expect.arrayContaining([shown]) },
    events: [{ type: 'automation-acknowledged', environment: 'development', data: { total: 1 } }],
  },
  {
    route: set,
    name: 'withdraws an acknowledgement',
    given: async (server) => ({ body: { ...(await acknowledged(server)).body, acknowledged: false } }),
    events: [{ type: 'automation-acknowledgement-withdrawn', data: { total: 1 } }],
  },
  ...refused(set, 404, {
    'refuses a subject that has ended': async () => ({ body: { subjects: ['hold:999999'] } }),
  }),
  ...refusedTo('viewer', set, 403, {
    'refuses callers who may change no flag': held,
  }),
  {
    route: list,
    name: 'lists who looks after what',
    given: async (server) => {
      await acknowledged(server);
      return {};
    },
    answer: { acknowledgements: expect.arrayContaining([shown]) },
  },
];
