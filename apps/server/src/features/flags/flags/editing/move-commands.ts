import { dependenciesOf } from '#features/flags/dependencies/index.ts';
import { type FeatureRef, recordEvents, requireUsable, setProject } from '#features/flags/feature/index.ts';
import { loadClientFeatures, segmentsOfPlans } from '#features/flags/reading/index.ts';
import { segmentsNotUsableIn } from '#features/flags/segments/index.ts';
import { environmentsOf, insertStates } from '#features/flags/states/index.ts';
import { listStrategies } from '#features/flags/strategies/index.ts';
import { listEnvironmentsOfProject } from '#features/projects/environments/index.ts';
import { requireNamed, requireProjectInUse } from '#features/projects/projects/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';
import { requireProjectFeatureLimit } from './feature-limits.ts';

/**
 * Moves a flag to another project. The flag is off in environments that only the new project has. Records no event when
 * the flag is in the project already. Rejects with 400 when the name does not match the new project's naming pattern;
 * with 403 when the project's flag limit is reached, when it lacks an environment of the flag, when a strategy, a
 * milestone of the flag's release plan, or the milestone at which the flag is held, uses a segment of another project,
 * or when the flag has a dependency, which must stay within one project.
 */
export async function moveFeature(tx: Tx, ref: FeatureRef, newProject: string): Promise<void> {
  const feature = await requireUsable(tx.db, ref);
  const project = await requireProjectInUse(tx.db, newProject);
  const target = project.id;
  if (target === feature.project) return;
  requireNamed(project, feature.name);
  await requireProjectFeatureLimit(tx.db, project, 1);
  const { parents, children } = await dependenciesOf(tx.db, [feature.name]);
  const related = parents[0]?.parent ?? children[0]?.child;
  if (related !== undefined) {
    throw new Problem(
      'InvalidOperationError',
      `The flag ${feature.name} has a dependency with ${related}, which must stay in one project. Remove the dependency first.`,
    );
  }
  const present = await environmentsOf(tx.db, feature.name);
  const available = (await listEnvironmentsOfProject(tx.db, target)).map(({ name }) => name);
  const missing = present.filter((environment) => !available.includes(environment));
  if (missing.length > 0) {
    throw new Problem(
      'IncompatibleProjectError',
      `The project ${target} lacks environments that the flag ${feature.name} is in: ${missing.join(', ')}.`,
    );
  }
  // A hold at a milestone serves strategies, and segments, that the flag itself does not have.
  const [effective] = await loadClientFeatures(tx.db, [feature.name]);
  const strategies = [
    ...(await listStrategies(tx.db, [feature.name])),
    ...(effective?.environments.flatMap((environment) => environment.strategies) ?? []),
  ];
  const segments = [
    ...strategies.flatMap((strategy) => strategy.segments),
    ...(await segmentsOfPlans(tx.db, feature.name)),
  ];
  const forbidden = await segmentsNotUsableIn(tx.db, [...new Set(segments)], target);
  if (forbidden.length > 0) {
    throw new Problem(
      'IncompatibleProjectError',
      `Strategies of the flag ${feature.name} or of its release plan use segments that flags of ${target} may not use: ${forbidden.join(', ')}.`,
    );
  }
  await setProject(tx, feature.name, target);
  const added = available.filter((environment) => !present.includes(environment));
  await insertStates(tx, feature.name, added);
  const moved = { ...feature, project: target };
  const data = { oldProject: feature.project, newProject: target };
  await recordEvents(tx, moved, { type: 'feature-project-change', data });
}
