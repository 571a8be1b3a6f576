import { expect } from 'vitest';
import { givenFailedCall, givenRun, givenSet } from '#testing/actions.ts';
import { refused, type Scenario } from '#testing/scenario.ts';

const keys = 'GET /api/admin/action-calls/signing-keys';
const rotate = 'POST /api/admin/action-calls/signing-keys/rotate';
const attempts = 'GET /api/admin/action-runs/:runId/attempts';
const redeliverRun = 'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/redeliver';
const redeliverSet = 'POST /api/admin/projects/:projectId/actions/:actionSetId/redeliver';
const publicKey = expect.stringMatching(/^whpk_/);

/** Scenarios of the deliveries of calls. */
export const callScenarios: readonly Scenario[] = [
  {
    route: keys,
    name: 'shows the public key of calls to everyone who is signed in',
    as: 'viewer',
    answer: { keys: [{ publicKey, until: null }] },
  },
  {
    route: rotate,
    name: 'has the previous key sign besides, and records the public keys only',
    check: async ({ json, text }) => {
      expect(json.keys.map(({ until }: { until: string | null }) => until === null)).toEqual([true, false]);
      expect(text).not.toContain('whsk_');
    },
    events: [{ type: 'setting-updated', data: { id: 'action-calls.signing-keys' } }],
  },
  {
    route: attempts,
    name: 'lists the attempts of a call without the path of its URL',
    given: async (server) => ({ params: { runId: (await givenFailedCall(server)).params.runId } }),
    answer: { attempts: [{ request: 'POST https://nothing.invalid/…', status: null, error: expect.any(String) }] },
  },
  {
    route: attempts,
    name: 'lists none for a run without calls',
    given: async (server) => ({ params: { runId: (await givenRun(server)).params.runId } }),
    answer: { attempts: [] },
  },
  {
    route: redeliverRun,
    name: 'queues the failed call of a run again',
    given: async (server) => ({ params: (await givenFailedCall(server)).params }),
    answer: { redelivered: 1, more: false },
    events: [{ type: 'action-calls-redelivered', data: { redelivered: 1, runId: expect.any(Number) } }],
  },
  ...refused(redeliverRun, 409, {
    'answers 409 for a run without failed calls': async (server) => ({ params: (await givenRun(server)).params }),
  }),
  {
    route: redeliverSet,
    name: 'queues all failed calls of a set again',
    given: async (server) => ({ params: (await givenFailedCall(server)).params }),
    answer: { redelivered: 1, more: false },
    events: [{ type: 'action-calls-redelivered', data: { redelivered: 1 } }],
  },
  {
    route: redeliverSet,
    name: 'records nothing when no call has failed',
    given: async (server) => {
      const { projectId, id } = await givenSet(server);
      return { params: { projectId, actionSetId: id } };
    },
    answer: { redelivered: 0 },
    events: [],
  },
];
