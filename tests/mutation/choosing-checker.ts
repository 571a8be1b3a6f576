import { type Choice, chosenOf, type ListedMutant } from './chosen.ts';

// A plugin that Stryker loads in a process of its own. A checker decides which mutants are worth a test run: a type
// checker refuses mutants that do not compile, this checker refuses mutants that were not chosen. Stryker reports them
// as CompileError.

function createChecker() {
  const choice: Choice = JSON.parse(process.env.MUTATION_CHOICE ?? '');
  return {
    init: () => Promise.resolve(),
    /** Puts all mutants of the run into one group, so that one call of `check` sees them all. */
    group: async (mutants: readonly ListedMutant[]) => [mutants.map(({ id }) => id)],
    check: async (mutants: readonly ListedMutant[]) => {
      const chosen = chosenOf(mutants, choice);
      const result = (id: string) =>
        chosen.has(id) ? { status: 'passed' } : { status: 'compileError', reason: 'not chosen' };
      return Object.fromEntries(mutants.map(({ id }) => [id, result(id)]));
    },
  };
}

export const strykerPlugins = [{ kind: 'Checker', name: 'choosing', factory: createChecker }];
