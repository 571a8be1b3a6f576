import type { Author } from './actor.ts';
import { Problem } from './errors.ts';

/** Something that uses something else, such as a flag, and the project it belongs to; null for one of all projects. */
export interface Tellable {
  readonly name: string;
  readonly project: string | null;
}

/** Most names that a sentence takes. */
const most = 5;

/**
 * Names of what keeps an author from doing something, for a sentence: each once, the first five, and how many more. Of what is in projects that
 * are hidden from the author it says only that there are some. Undefined when there is nothing.
 */
export function tellNames(by: Pick<Author, 'hidden'>, things: readonly Tellable[]): string | undefined {
  const told = [...new Set(things.filter((one) => !isHiddenFrom(by, one)).map(({ name }) => name))];
  const parts = [
    ...(told.length === 0 ? [] : [told.slice(0, most).join(', ')]),
    ...(told.length > most ? [`${told.length - most} more`] : []),
    ...(things.some((one) => isHiddenFrom(by, one)) ? ['others in projects that you cannot see'] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** Returns the 409 for a name that is taken; {@link reservedName} when the author does not see what has it. */
export function nameTaken(isSeen: boolean, name: string, message: string, path = 'name'): Problem {
  if (!isSeen) return reservedName(name, path);
  return new Problem('NameExistsError', message, { details: [{ message: 'is taken', path }] });
}

/** Returns the 409 for a name that something has which the author does not see: it says nothing else of it. */
export function reservedName(name: string, path = 'name'): Problem {
  return new Problem('NameExistsError', `The name ${name} is reserved. Choose another name.`, {
    details: [{ message: 'is reserved', path }],
  });
}

/** Returns what a plan says instead of {@link reservedName}. */
export function reservedInPlan(name: string): string {
  return `the name ${name} is reserved: choose another`;
}

/** Whether something belongs to a project that the author is not to know of. */
export function isHiddenFrom({ hidden }: Pick<Author, 'hidden'>, { project }: Pick<Tellable, 'project'>): boolean {
  return project !== null && hidden?.has(project) === true;
}
