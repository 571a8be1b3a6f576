import { listFlagNames } from '#features/flags/definitions/index.ts';
import { tagsInProject } from '#features/flags/feature/index.ts';
import { listEnvironmentsOfProject } from '#features/projects/environments/index.ts';
import { requireProject } from '#features/projects/projects/index.ts';
import type { Db } from '#storage/tx.ts';
import { findKind, kindNames } from '../kinds/index.ts';

/** Returns the action kinds, with the names in the project that their parameters may use (docs/spec#action-kinds). */
export async function definitionsFor(db: Db, project: string) {
  await requireProject(db, project);
  const [environments, flags, tags] = await Promise.all([
    listEnvironmentsOfProject(db, project),
    listFlagNames(db, { projects: [project] }),
    tagsInProject(db, project),
  ]);
  const options: Readonly<Record<string, string[]>> = {
    environment: environments.map(({ name }) => name),
    featureName: flags,
    tag: tags.map(({ type, value }) => `${type}:${value}`),
  };
  return Object.fromEntries(
    kindNames.flatMap((name) => {
      const kind = findKind(name);
      if (kind === undefined) return [];
      const { label, description, category, permission } = kind;
      const parameters = kind.parameters.map((parameter) => {
        const known = options[parameter.name];
        return known === undefined ? { ...parameter } : { ...parameter, options: known };
      });
      return [[name, { label, description, category, permissions: [permission], parameters }]];
    }),
  );
}
