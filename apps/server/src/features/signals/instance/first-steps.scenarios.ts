import { expect } from 'vitest';
import { givenSet, signal } from '#testing/actions.ts';
import { givenApplication } from '#testing/applications.ts';
import { givenFlag } from '#testing/flags.ts';
import type { Scenario } from '#testing/scenario.ts';

const route = 'GET /api/admin/first-steps';

export const firstStepScenarios: readonly Scenario[] = [
  {
    route,
    name: 'reports nothing in a new installation',
    check: ({ json }) =>
      expect(json).toEqual({ flag: null, applicationConnected: false, signalReceived: false, actionRan: false }),
  },
  {
    route,
    name: 'reports a flag, but no application because a token exists',
    given: async (server) => {
      await givenFlag(server, { name: 'newest' });
      return {};
    },
    check: ({ json }) =>
      expect(json).toEqual({
        flag: { project: 'default', name: 'newest' },
        applicationConnected: false,
        signalReceived: false,
        actionRan: false,
      }),
  },
  {
    route,
    name: 'reports the application that reported and the action that ran for a signal',
    given: async (server) => {
      await givenApplication(server, { sdkVersion: 'sdk:1', strategies: [] });
      await signal(server, await givenSet(server));
      return {};
    },
    answer: { applicationConnected: true, signalReceived: true, actionRan: true },
  },
];
