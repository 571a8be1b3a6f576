import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { nativeImports } from './tests/native-imports.ts';
import { sameOnBothEngines } from './tests/postgres/same-on-both.ts';
import { suiteReporters } from './tests/suites/reporters.ts';

const included = ['{apps,packages,bench,tests}/**/*.test.ts'];
const excluded = [
  '**/node_modules/**',
  '**/dist/**',
  'tests/durability/**',
  'tests/e2e/**',
  'tests/{examples,package,programs}/**',
  // Set by `npm run test:engine`, which runs what may differ between the engines.
  ...(process.env['ENGINE_MATTERS'] === undefined ? [] : Object.keys(sameOnBothEngines)),
];
/**
 * Test files that share a process, so that the server is loaded only once: 14 files took 39 s with a process for each,
 * and take 20 s in one. They start servers, but set no environment variables and send no signals.
 */
const sharing = [
  'apps/admin/**/*.test.ts',
  'apps/server/src/{cli,config,features,http,jobs,kernel,observe,storage}/**/*.test.ts',
  'apps/server/src/app/{backup,clock-skew,database-*,first-admin,free-port,outage-log,private-files}.test.ts',
  'apps/server/src/app/{recover,restored-positions,sealed-secrets,uneven-values}.test.ts',
  'packages/**/*.test.ts',
  'tests/{conformance,docs,kubernetes,lists,permissions,processes,readme,sdk,upgrade,walk}/**/*.test.ts',
];
/**
 * Test files that measure how long other requests wait, or how much memory the process uses. In a shared process,
 * garbage of other files' servers would change the figures.
 */
const measuring = [
  'apps/server/src/features/log/events/long-log.test.ts',
  'apps/server/src/features/flags/strategies/constraints.test.ts',
  'apps/server/src/features/as-code/import-export/transfer.test.ts',
  'apps/server/src/features/projects/projects/naming.test.ts',
  'apps/server/src/http/invalid-requests.test.ts',
  'apps/server/src/http/large-bodies.test.ts',
];

export default defineConfig({
  test: {
    ...nativeImports(),
    pool: 'forks',
    // The suite waits for disks and sockets as much as it computes, so two files at a time are faster even on two
    // cores. Each file may open some PostgreSQL connections: eight files at a time stay far below the server's limit.
    maxWorkers: Math.min(8, Math.max(2, availableParallelism())),
    globalSetup: ['tests/program/compile.ts', 'tests/program/migrate.ts'],
    setupFiles: ['tests/leftovers/setup.ts'],
    // A snapshot is written only by `vitest run … -u`, so that a refusal without a recorded reason fails everywhere.
    update: 'none',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The default of a second is too short on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    ...suiteReporters('default'),
    projects: [
      {
        extends: true,
        test: { name: 'shared', include: sharing, exclude: [...excluded, ...measuring], isolate: false },
      },
      // Tests here start processes, send signals or set the environment, and must not disturb other files.
      {
        extends: true,
        test: { name: 'own process', include: included, exclude: [...excluded, ...sharing], isolate: true },
      },
      { extends: true, test: { name: 'measuring', include: measuring, isolate: true } },
    ],
  },
});
