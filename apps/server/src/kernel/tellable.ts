import type { Author } from './actor.ts';

/** Something that uses something else, such as a flag, and the project it belongs to; null for one of all projects. */
export interface Tellable {
  readonly name: string;
  readonly project: string | null;
}

/** Most names that a sentence takes. */
const most = 5;

/**
 * Names of what keeps an author from doing something, for a sentence: each once, the first five, and how many more. Of what is in projects that
 * are hidden from the author only their number is told. Undefined when there is nothing.
 */
export function tellNames(by: Author, things: readonly Tellable[]): string | undefined {
  const isHidden = ({ project }: Tellable) => project !== null && by.hidden?.has(project) === true;
  const [hidden, told] = [true, false].map((which) => [
    ...new Set(things.filter((one) => isHidden(one) === which).map(({ name }) => name)),
  ]) as [string[], string[]];
  const parts = [
    ...(told.length === 0 ? [] : [told.slice(0, most).join(', ')]),
    ...(told.length > most ? [`${told.length - most} more`] : []),
    ...(hidden.length === 0 ? [] : [`${hidden.length} in projects that you cannot see`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}
