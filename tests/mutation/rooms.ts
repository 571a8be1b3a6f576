/**
 * A part of the code that is mutated together, and the tests that may kill its mutants. Both are globs relative to the
 * repository root.
 */
export interface Room {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

const features = 'apps/server/src/features';
const storage = 'apps/server/src/storage';

/** The code where a wrong answer costs users most. {@link neverMutated} lists the files that are left out. */
export const rooms: Readonly<Record<string, Room>> = {
  access: {
    mutate: [`${features}/access/*.ts`],
    tests: [
      `${features}/access/*.test.ts`,
      `${features}/project-access/*.test.ts`,
      `${features}/roles/*.test.ts`,
      `${features}/sessions/*.test.ts`,
      `${features}/personal-tokens/*.test.ts`,
      `${features}/login/*.test.ts`,
      `${features}/users/users.test.ts`,
      `${features}/projects/private.test.ts`,
      // These test the rules of approval, and the page with the permission matrix.
      `${features}/change-requests/change-requests.test.ts`,
      `${features}/release-plans/gates.test.ts`,
      // These test which root roles a caller may give, and what a caller sees with a permission in some project.
      `${features}/auth-settings/rights.test.ts`,
      // This test sends requests without a login, with and without single sign-on.
      `${features}/auth-settings/auth-settings.test.ts`,
      `${features}/now/now.test.ts`,
      'tests/docs/reference.test.ts',
      'tests/permissions/matrix.test.ts',
    ],
  },
  'change-control': {
    mutate: [`${features}/change-control/*.ts`, `${features}/event-effects/*.ts`],
    tests: [
      `${features}/change-control/*.test.ts`,
      `${features}/event-effects/*.test.ts`,
      // These tests apply approved changes of reviewed environments.
      `${features}/change-requests/change-requests.test.ts`,
      // These tests hold a flag in a reviewed environment.
      `${features}/release-plans/reviewed.test.ts`,
      `${features}/holds/ownership.test.ts`,
    ],
  },
  'change-requests': {
    mutate: [`${features}/change-requests/*.ts`],
    tests: [
      `${features}/change-requests/*.test.ts`,
      `${features}/playground/change-request-preview.test.ts`,
      // These tests request changes of plans and safeguards.
      `${features}/release-plans/reviewed.test.ts`,
      `${features}/safeguards/reviewed.test.ts`,
      // These tests list requests: those that use a segment, and those that are applied soon.
      `${features}/segments/segment-uses.test.ts`,
      `${features}/now/now.test.ts`,
      // This test asks approvers for a review by e-mail.
      `${features}/email/email.test.ts`,
    ],
  },
  holds: {
    mutate: [`${features}/holds/*.ts`, `${features}/flags/holds/*.ts`],
    tests: [
      `${features}/holds/*.test.ts`,
      `${features}/flags/holds/*.test.ts`,
      `${features}/actions/runs/{holds,retried-holds,release,undecided,guard-borders}.test.ts`,
      // These tests read the holds in force.
      `${features}/now/now.test.ts`,
      `${features}/playground/*.test.ts`,
      // These tests hold flags at a milestone.
      `${features}/release-plans/hold-at.test.ts`,
    ],
  },
  guards: {
    mutate: [`${features}/actions/runs/{guards,execute-action,handle-signals,take-back,signal-cursor}.ts`],
    tests: [
      `${features}/actions/runs/*.test.ts`,
      `${features}/actions/*.test.ts`,
      `${features}/actions/calls/*.test.ts`,
      // These tests check that an override prevents actions.
      `${features}/overrides/*.test.ts`,
      // These tests hold a flag at a milestone, and take that back.
      `${features}/release-plans/hold-at.test.ts`,
    ],
  },
  evaluation: {
    mutate: ['packages/evaluation/src/*.ts'],
    tests: ['packages/evaluation/src/*.test.ts', 'tests/conformance/client-specification.test.ts'],
  },
  storage: {
    // Leaves out code in worker threads and for PostgreSQL: a mutant can only be switched on in the thread of its test,
    // and these runs use SQLite.
    mutate: [
      `${storage}/*.ts`,
      `${storage}/commit/*.ts`,
      `${storage}/backup/{format,restore-backup,snapshot,write-backup}.ts`,
    ],
    tests: [
      `${storage}/**/*.test.ts`,
      'apps/server/src/app/{backup,sealed-secrets}.test.ts',
      `${features}/events/*search*.test.ts`,
    ],
  },
  'api-tokens': {
    mutate: [`${features}/api-tokens/*.ts`, `${features}/personal-tokens/*.ts`],
    tests: [
      `${features}/api-tokens/*.test.ts`,
      `${features}/personal-tokens/*.test.ts`,
      // These tests find tokens by id and by name.
      `${features}/ofrep/event-stream.test.ts`,
      `${features}/change-requests/schedule-by-token.test.ts`,
      // This test shows the last use of tokens.
      `${features}/applications/connections.test.ts`,
    ],
  },
};

/** Files that are never mutated: tests, scenarios, lists of exports, declarations of routes, and presenters. */
export const neverMutated = /(?:[.]test|[.]scenarios|[/]index|[/-]routes|[/]present)[.]ts$/;
