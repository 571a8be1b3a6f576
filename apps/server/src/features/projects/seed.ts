import { systemActor } from '../../kernel/actor.ts';
import type { Database } from '../../storage/database.ts';
import { createEnvironment, findEnvironment } from '../environments/index.ts';
import { createProject } from './commands.ts';
import { defaultProject } from './project.ts';
import type { SetReview } from './project-flags.ts';
import { findProject } from './store.ts';

const firstEnvironments = [
  { name: 'development', type: 'development', sortOrder: 100 },
  { name: 'production', type: 'production', sortOrder: 200 },
];

/**
 * Creates the project `default` with the environments `development` and `production` where there is none yet
 * (docs/spec#projects). Changes run one at a time, so it happens once however many processes start together.
 */
export async function createFirstProject(database: Database, setRequiredApprovals: SetReview): Promise<void> {
  await database.write({ actor: systemActor, cause: {} }, async (tx) => {
    if ((await findProject(tx.db, defaultProject)) !== undefined) return;
    for (const environment of firstEnvironments) {
      // A limit set by the operator is not for what the service cannot do without.
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
