import type { Author } from './actor.ts';
import { Problem } from './errors.ts';

/** An entity to name in an error, such as a flag, with its project; null for an entity of all projects. */
export interface NamedEntity {
  readonly name: string;
  readonly project: string | null;
}

/** The highest number of names in an error text. */
const maxNames = 5;

/**
 * Lists the names of entities for an error text: the first five without duplicates, and the number of further names.
 * Entities in projects that are hidden from the author are mentioned without names. Returns undefined for an empty
 * list.
 */
export function listVisibleNames(by: Pick<Author, 'hidden'>, entities: readonly NamedEntity[]): string | undefined {
  const names = [...new Set(entities.filter((entity) => !isHiddenFrom(by, entity)).map(({ name }) => name))];
  const parts = [
    ...(names.length === 0 ? [] : [names.slice(0, maxNames).join(', ')]),
    ...(names.length > maxNames ? [`${names.length - maxNames} more`] : []),
    ...(entities.some((entity) => isHiddenFrom(by, entity)) ? ['others in projects that you cannot see'] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/**
 * Returns the 409 for a name that is taken, or {@link reservedName} when the entity with the name is hidden from the
 * author.
 */
export function nameTaken(isSeen: boolean, name: string, message: string, path = 'name'): Problem {
  if (!isSeen) return reservedName(name, path);
  return new Problem('NameExistsError', message, { details: [{ message: 'is taken', path }] });
}

/** Returns the 409 for a name that a hidden entity has. The error reveals nothing about that entity. */
export function reservedName(name: string, path = 'name'): Problem {
  return new Problem('NameExistsError', `The name ${name} is reserved. Choose another name.`, {
    details: [{ message: 'is reserved', path }],
  });
}

/** Returns the text of {@link reservedName} for the errors of a plan. */
export function reservedInPlan(name: string): string {
  return `the name ${name} is reserved: choose another`;
}

/** Returns whether an entity belongs to a project that is hidden from the author. */
export function isHiddenFrom({ hidden }: Pick<Author, 'hidden'>, { project }: Pick<NamedEntity, 'project'>): boolean {
  return project !== null && hidden?.has(project) === true;
}
