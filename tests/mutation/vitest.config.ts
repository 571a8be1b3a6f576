import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { nativeImports } from '../native-imports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export default defineConfig({
  root,
  resolve: {
    // The links in node_modules lead out of the copy that is mutated. Only the tests of packages follow the aliases:
    // Node loads the server, and takes the packages that are not mutated.
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
    // One process for all files of a mutant: each file would load the server again, half of the time of a mutant. Each
    // mutant still has a process of its own.
    isolate: false,
    // Effectively no limit: on a busy machine a slow test would count as a killed mutant. Stryker ends a hanging
    // mutant.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
