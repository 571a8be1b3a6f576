import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { nativeImports } from '../native-imports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export default defineConfig({
  root,
  resolve: {
    // The links in node_modules lead to the packages outside the mutated copy. Only the tests of packages follow these
    // aliases: Node loads the server, and takes the packages that are not mutated.
    alias: [
      { find: /^@yardarm[/]evaluation$/, replacement: `${root}packages/evaluation/src/index.ts` },
      { find: /^@yardarm[/]evaluation[/]operators$/, replacement: `${root}packages/evaluation/src/operators.ts` },
      { find: /^@yardarm[/]contract$/, replacement: `${root}packages/contract/src/index.ts` },
      { find: /^@yardarm[/]contract[/]event-types$/, replacement: `${root}packages/contract/src/event-types.ts` },
    ],
  },
  test: {
    ...nativeImports(),
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]'),
    setupFiles: ['tests/mutation/setup.ts'],
    // One process for all test files of a mutant: loading the server again for each file would take half of the time.
    // Each mutant still has a process of its own.
    isolate: false,
    // No limit in practice: on a busy machine, a slow test would count as a killed mutant. Stryker ends hanging
    // mutants.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
