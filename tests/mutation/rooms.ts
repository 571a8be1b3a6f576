import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { subjects } from '../../build/subjects.js';

/** A part of the code that is mutated together, and the tests that may kill its mutants: paths below the root. */
export interface Room {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

const server = 'apps/server/src';
const features = `${server}/features`;

const subjectFolders = subjects.map((subject) => `${features}/${subject}`);

/** Folders that are too large for one room: each folder in them is a room, and the files beside these are another. */
const houses = [server, ...subjectFolders, `${features}/automation/actions`, `${features}/flags/flags`];

/** Why some code is not mutated. The first reason that fits a path holds. */
const unmutated: readonly (readonly [path: RegExp, why: string])[] = [
  [/[.](?:test|scenarios)[.]ts$/, 'tests'],
  [/\/index[.]ts$/, 'lists of exports'],
  [/[/-]routes[.]ts$|\/main[.]ts$/, 'wiring of routes and programs'],
  [/\/present[.]ts$/, 'presenters, whose answers are checked by their schema'],
  [/\/storage\/(?:tables|migrations)\//, 'types, and schema changes that never change again'],
  [
    /\/storage\/postgres\/|\/(?:postgres|sqlite)-snapshot[.]ts$|\/sqlite\/sqlite-worker[.]ts$|\/large-body-worker[.]ts$/,
    'code for PostgreSQL and in worker threads: a mutant is switched on in the thread of its test, on SQLite',
  ],
  [/\/src\/demo\//, 'the made-up company of the demo'],
  [/\/connect\/languages\//, 'programs that the tests of SDKs run'],
];

/** Tests outside of a room that its code needs, beside those in its folder and in the house around it. */
const testsElsewhere: Readonly<Record<string, readonly string[]>> = {
  'people/account-control': ['features/flags/change-control/second-person.test.ts'],
  'people/access': [
    'features/projects/project-access/*.test.ts',
    'features/projects/roles/*.test.ts',
    'features/people/sessions/*.test.ts',
    'features/people/personal-tokens/*.test.ts',
    'features/people/login/*.test.ts',
    'features/people/users/users.test.ts',
    'features/projects/projects/private.test.ts',
    // These test the rules of approval, and the page with the permission matrix.
    'features/review/change-requests/change-requests.test.ts',
    'features/releases/release-plans/gates.test.ts',
    // These test which root roles a caller may give, and what a caller sees with a permission in some project.
    'features/people/auth-settings/{rights,auth-settings}.test.ts',
    'features/review/now/now.test.ts',
    '../../../tests/docs/reference.test.ts',
    '../../../tests/permissions/matrix.test.ts',
  ],
  'automation/actions/calls': [
    'features/automation/actions/runs/**/*.test.ts',
    'features/platform/deliveries/*.test.ts',
  ],
  'automation/actions/matching': ['features/automation/actions/runs/**/*.test.ts'],
  'automation/actions/runs': [
    'features/automation/actions/calls/*.test.ts',
    // These tests check that an override prevents actions.
    'features/flags/overrides/*.test.ts',
    // These tests hold a flag at a milestone, and take that back.
    'features/releases/release-plans/hold-at.test.ts',
  ],
  // These test each state whose subject is deleted.
  'platform/lost-states': ['features/integrations/integrations/threads/deleted-subjects.test.ts'],
  'people/api-tokens': [
    'features/people/personal-tokens/*.test.ts',
    // These tests find tokens by id and by name.
    'features/sdks/ofrep/event-stream.test.ts',
    'features/review/change-requests/schedule-by-token.test.ts',
    // This test shows the last use of tokens.
    'features/sdks/applications/connections.test.ts',
  ],
  'flags/change-control': [
    'features/platform/event-effects/*.test.ts',
    // These tests apply approved changes of reviewed environments, and hold a flag there.
    'features/review/change-requests/change-requests.test.ts',
    'features/releases/release-plans/reviewed.test.ts',
    'features/flags/holds/ownership.test.ts',
  ],
  'review/change-requests': [
    'features/review/playground/change-request-preview.test.ts',
    // These tests request changes of plans and safeguards.
    'features/releases/release-plans/reviewed.test.ts',
    'features/releases/safeguards/reviewed.test.ts',
    // These tests list requests: those that use a segment, and those that are applied soon.
    'features/flags/segments/segment-uses.test.ts',
    'features/review/now/now.test.ts',
    // This test asks approvers for a review by e-mail.
    'features/platform/email/email.test.ts',
  ],
  'platform/deliveries': [
    'features/integrations/integrations/{,threads/}*.test.ts',
    'features/automation/actions/calls/*.test.ts',
    // These tests delete what is older than its retention, with and without a legal hold, and read signing keys again.
    'features/platform/legal-hold/*.test.ts',
    'app/sealed-secrets.test.ts',
  ],
  'platform/event-effects': ['features/flags/change-control/*.test.ts', 'features/sdks/sdk/*.test.ts'],
  // The freeze is a switch of actions, whose scenarios have its routes.
  'flags/freeze': ['features/automation/actions/actions.test.ts', 'features/flags/automation-stops/*.test.ts'],
  'flags/holds': [
    'features/flags/held-state/*.test.ts',
    'features/automation/actions/runs/**/{holds,retried-holds,release,undecided,guard-borders}.test.ts',
    // These tests read the holds in force, and hold flags at a milestone.
    'features/review/now/now.test.ts',
    'features/review/playground/*.test.ts',
    'features/releases/release-plans/hold-at.test.ts',
  ],
  // Flags are read, compared and written whole by these.
  'flags/definitions': ['features/flags/flags/*.test.ts', 'features/as-code/state/*.test.ts'],
  'flags/feature': ['features/flags/flags/**/*.test.ts'],
  'flags/reading': ['features/flags/flags/**/*.test.ts'],
  'flags/states': ['features/flags/flags/**/*.test.ts'],
  'flags/held-state': ['features/flags/holds/*.test.ts', 'features/releases/release-plans/hold-at.test.ts'],
  'platform/payload-filters': [
    'features/automation/actions/**/*.test.ts',
    'features/signals/signals/silence/expected-signals.test.ts',
  ],
  'people/personal-tokens': ['features/people/api-tokens/*.test.ts'],
  'sdks/recent-contexts': ['features/releases/milestone-effects/*.test.ts'],
  'releases/release-plans': ['features/releases/safeguards/*.test.ts', 'features/automation/plan-rehearsals/*.test.ts'],
  'signals/signal-sources': ['features/signals/signals/**/*.test.ts'],
  'platform/settings': ['features/people/auth-settings/*.test.ts', 'features/platform/{cors,maintenance}/*.test.ts'],
  storage: ['app/{backup,sealed-secrets}.test.ts', 'features/log/events/*search*.test.ts'],
};

/** Returns why a file is not mutated, or undefined for a file that belongs to a room. */
export function whyUnmutated(file: string): string | undefined {
  return unmutated.find(([path]) => path.test(file))?.[1];
}

/** Returns the rooms by name: the folders of the server, `evaluation`, and the rules of the interface. */
export function roomsIn(root: string): Readonly<Record<string, Room>> {
  const rooms: Record<string, Room> = {};
  for (const [folder, mutate] of Map.groupBy(mutable(root, `${server}/**/*.ts`), folderOf)) {
    const name = folder.replace(`${features}/`, '').replace(`${server}/`, '');
    const own = houses.includes(folder) ? `${folder}/*.test.ts` : `${folder}/**/*.test.ts`;
    const around = [server, ...subjectFolders].includes(dirname(folder)) ? [] : [`${dirname(folder)}/*.test.ts`];
    const elsewhere = (testsElsewhere[name] ?? []).map((glob) => `${server}/${glob}`);
    rooms[name] = { mutate, tests: [own, ...around, ...elsewhere] };
  }
  rooms.evaluation = {
    mutate: mutable(root, 'packages/evaluation/src/*.ts'),
    tests: ['packages/evaluation/src/*.test.ts', 'tests/conformance/client-specification.test.ts'],
  };
  rooms.interface = {
    mutate: mutable(root, 'apps/admin/src/**/*.ts').filter((file) => isRule(readFileSync(`${root}/${file}`, 'utf8'))),
    tests: ['apps/admin/src/**/*.test.ts'],
  };
  return rooms;
}

const mutable = (root: string, glob: string): string[] =>
  globSync(glob, { cwd: root, exclude: (name) => name === 'node_modules' })
    .filter((file) => whyUnmutated(file) === undefined)
    .sort();

/** Returns the innermost house above a file, or the folder of that house that the file is in. */
function folderOf(file: string): string {
  let folder = dirname(file);
  while (!houses.includes(folder) && !houses.includes(dirname(folder))) folder = dirname(folder);
  return folder;
}

/** A module of the interface that only computes: it uses neither React, nor the server, nor the page. */
const isRule = (text: string): boolean =>
  !/from '(?:react|@tanstack|@mantine|[./]+(?:lib\/)?api[.]ts)|\b(?:document|window|navigator|localStorage)[.]/.test(
    text,
  );
