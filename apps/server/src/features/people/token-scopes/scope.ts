import { createHash } from 'node:crypto';

/** The projects of the API token that brought data, which say who may read the data. */
export interface TokenScope {
  /** `*` for all projects, else a hash of the ids of the projects. */
  readonly id: string;
  readonly projects: readonly string[];
}

/** The scope of a token of all projects. */
export const allProjects: TokenScope = { id: '*', projects: ['*'] };

const known = new WeakMap<readonly string[], TokenScope>();

/** Returns the scope of a token with `projects`. Tokens with the same projects, in any order, have the same scope. */
export function scopeOf(projects: readonly string[]): TokenScope {
  if (projects.includes('*')) return allProjects;
  const before = known.get(projects);
  if (before !== undefined) return before;
  const sorted = [...new Set(projects)].toSorted();
  const id = createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 22);
  const scope = { id, projects: sorted };
  known.set(projects, scope);
  return scope;
}

/** Returns whether a token of the scope holds a project; false for undefined. */
export function holds(scope: TokenScope, project: string | undefined): boolean {
  return project !== undefined && (scope.id === allProjects.id || scope.projects.includes(project));
}
