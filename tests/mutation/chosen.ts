import { createHash } from 'node:crypto';

/** The mutants of a run: drawn at random, or those that start at given places (`file:line:column`, counted from 1). */
export type Choice =
  | { readonly sample: number; readonly seed: string }
  | { readonly root: string; readonly places: readonly string[] };

/** A mutant as Stryker hands it to a checker: lines and columns are counted from 0. */
export interface ListedMutant {
  readonly id: string;
  readonly fileName: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

/** Returns the ids of the chosen mutants. The same seed draws the same mutants from the same code. */
export function chosenOf(mutants: readonly ListedMutant[], choice: Choice): ReadonlySet<string> {
  if ('places' in choice) {
    const at = ({ fileName, location: { start } }: ListedMutant) =>
      `${fileName.slice(choice.root.length)}:${start.line + 1}:${start.column + 1}`;
    return new Set(mutants.filter((mutant) => choice.places.includes(at(mutant))).map(({ id }) => id));
  }
  const rank = (id: string) => createHash('sha256').update(`${choice.seed} ${id}`).digest('hex');
  const ranked = mutants.map(({ id }) => ({ id, rank: rank(id) })).sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return new Set(ranked.slice(0, choice.sample).map(({ id }) => id));
}
