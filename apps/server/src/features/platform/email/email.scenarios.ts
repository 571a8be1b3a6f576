import type { Scenario } from '#testing/scenario.ts';

/** Scenarios of a server with a mail server. */
export const emailScenarios: readonly Scenario[] = [
  {
    route: 'POST /auth/reset/password-email',
    name: 'answers 200 for an address without a user',
    call: { body: { email: 'stranger@example.com' } },
  },
];
