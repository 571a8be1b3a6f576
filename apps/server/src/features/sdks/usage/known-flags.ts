import type { Db } from '#storage/tx.ts';

const namesPerStatement = 500;

/** Returns the projects of the members of `names` that are flags, archived flags included, by name. */
export async function projectsOfFlags(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const projects = new Map<string, string>();
  for (let i = 0; i < names.length; i += namesPerStatement) {
    const chunk = names.slice(i, i + namesPerStatement);
    const rows = await db.selectFrom('features').select(['name', 'project']).where('name', 'in', chunk).execute();
    for (const { name, project } of rows) projects.set(name, project);
  }
  return projects;
}
