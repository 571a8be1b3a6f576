import { noProject } from '#http/permission.ts';
import type { Identity } from '#kernel/caller.ts';
import { badField } from '#kernel/errors.ts';
import type { Db } from '#storage/tx.ts';
import { findProject } from './store.ts';

/**
 * Rejects with 403 unless `requireMayChange` lets the caller change entities of the project, or those of all projects
 * for null, and with 400 when the project does not exist. A hidden project gets the same errors as a missing one, so
 * this check must run before others that read it.
 */
export async function requireOwningProject(
  db: Db,
  caller: Identity,
  project: string | null,
  requireMayChange: (project: string | null) => void,
): Promise<void> {
  const isHidden = project !== null && caller.hidden.has(project);
  requireMayChange(isHidden ? noProject : project);
  if (project === null || (!isHidden && (await findProject(db, project)) !== undefined)) return;
  throw badField('project', `must be the id of a project, not ${project}`);
}
