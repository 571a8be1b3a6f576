import { Problem } from '../../../kernel/errors.ts';
import type { Tx } from '../../../storage/tx.ts';
import { listEnvironmentsOfProject } from '../../environments/index.ts';
import { requireNamed, requireProjectInUse } from '../../projects/index.ts';
import { segmentsNotUsableIn } from '../../segments/index.ts';
import { dependenciesOf } from '../dependencies/index.ts';
import { type FeatureRef, recordFor, requireUsable, setProject } from '../feature/index.ts';
import { environmentsOf, insertStates } from '../states/index.ts';
import { listStrategies } from '../strategies/index.ts';
import { requireRoomIn } from './room.ts';

/**
 * Moves a flag to another project with all that belongs to it; in environments that only the new project has it is off.
 * 400 when the new project has its flags named otherwise; 403 when it takes no more flags, when it lacks an environment that the flag is in, while a strategy of it uses a segment that only
 * flags of another project may use, and while it depends on a flag or a flag on it, for both must be of one project. Nothing is recorded when it is there already.
 */
export async function moveFeature(tx: Tx, ref: FeatureRef, newProject: string): Promise<void> {
  const feature = await requireUsable(tx.db, ref);
  const project = await requireProjectInUse(tx.db, newProject);
  const target = project.id;
  if (target === feature.project) return;
  requireNamed(project, feature.name);
  await requireRoomIn(tx.db, project, 1);
  const { parents, children } = await dependenciesOf(tx.db, [feature.name]);
  const other = parents[0]?.parent ?? children[0]?.child;
  if (other !== undefined) {
    throw new Problem('InvalidOperationError', `The flags ${feature.name} and ${other} depend on each other.`);
  }
  const present = await environmentsOf(tx.db, feature.name);
  const offered = (await listEnvironmentsOfProject(tx.db, target)).map(({ name }) => name);
  const missing = present.filter((environment) => !offered.includes(environment));
  if (missing.length > 0) {
    throw new Problem(
      'IncompatibleProjectError',
      `The project ${target} lacks environments that the flag ${feature.name} is in: ${missing.join(', ')}.`,
    );
  }
  const segments = (await listStrategies(tx.db, [feature.name])).flatMap((one) => one.segments);
  const closed = await segmentsNotUsableIn(tx.db, [...new Set(segments)], target);
  if (closed.length > 0) {
    throw new Problem(
      'IncompatibleProjectError',
      `Strategies of the flag ${feature.name} use segments that flags of ${target} may not use: ${closed.join(', ')}.`,
    );
  }
  await setProject(tx, feature.name, target);
  const added = offered.filter((environment) => !present.includes(environment));
  await insertStates(tx, feature.name, added);
  const moved = { ...feature, project: target };
  const data = { oldProject: feature.project, newProject: target };
  await recordFor(tx, moved, { type: 'feature-project-change', data });
}
