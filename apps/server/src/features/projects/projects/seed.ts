import { createEnvironment, findEnvironment } from '#features/projects/environments/index.ts';
import { systemActor } from '#kernel/actor.ts';
import type { Database } from '#storage/database.ts';
import { createProject } from './commands.ts';
import { defaultProject } from './project.ts';
import type { SetRequiredApprovals } from './project-flags.ts';
import { findProject } from './store.ts';

const firstEnvironments = [
  { name: 'development', type: 'development', sortOrder: 100 },
  { name: 'production', type: 'production', sortOrder: 200 },
];

/**
 * Creates the project `default` with the environments `development` and `production` if it does not exist
 * (docs/spec#projects). Transactions run one at a time, so processes that start together create it once.
 */
export async function createFirstProject(
  database: Database,
  setRequiredApprovals: SetRequiredApprovals,
): Promise<void> {
  await database.write({ actor: systemActor, cause: {} }, async (tx) => {
    if ((await findProject(tx.db, defaultProject)) !== undefined) return;
    for (const environment of firstEnvironments) {
      // The first project and its environments do not count against configured limits.
      if ((await findEnvironment(tx.db, environment.name)) !== undefined) continue;
      await createEnvironment(tx, Number.POSITIVE_INFINITY, environment);
    }
    await createProject(tx, Number.POSITIVE_INFINITY, setRequiredApprovals, {
      id: defaultProject,
      name: 'Default',
      description: 'Default project',
      environments: firstEnvironments.map(({ name }) => name),
    });
  });
}
