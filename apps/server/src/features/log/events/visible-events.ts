import { type Condition, sql } from '#storage/tx.ts';

/** The events that a caller may see. */
export interface EventLimits {
  /** Whether events that belong to no project are left out, as for callers who are not administrators. */
  readonly onlyInProjects: boolean;
  /** Projects whose events are left out. */
  readonly hidden: ReadonlySet<string>;
}

/** Returns the SQL conditions of {@link isVisible}. */
export function visibleEvents({ onlyInProjects, hidden }: EventLimits): Condition[] {
  return [...(onlyInProjects ? [sql<boolean>`events.project is not null`] : []), ...outside([...hidden])];
}

/** Returns whether an event of `project` may be seen. */
export function isVisible({ onlyInProjects, hidden }: EventLimits, project: string | null): boolean {
  if (project === null) return !onlyInProjects && hidden.size === 0;
  return hidden.size === 0 || (!hidden.has(project) && !project.split(',').some((listed) => hidden.has(listed)));
}

/** Excludes events of projects. The project of a token event may be a comma-separated list of several projects. */
function outside(projects: readonly string[]): Condition[] {
  if (projects.length === 0) return [];
  const all = sql`',' || project || ','`;
  const unnamed = projects.map((project) => sql`replace(${all}, ${`,${project},`}, '') = ${all}`);
  return [
    sql<boolean>`project not in (${sql.join(projects)})`,
    sql<boolean>`(project not like '%,%' or (${sql.join(unnamed, sql` and `)}))`,
  ];
}
