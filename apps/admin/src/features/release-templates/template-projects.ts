import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '../../entities/projects/project-queries.ts';
import { type Place, useMay } from '../../lib/me.ts';

type Permission = `RELEASE_PLAN_TEMPLATE_${'CREATE' | 'UPDATE' | 'DELETE'}`;

interface Needs {
  readonly needs: readonly string[];
  readonly place: Place;
}

/** Returns the permissions, one of which changes a template of a project, or of all projects for null. */
export function needsOf(permission: Permission, project: string | null): Needs {
  if (project === null) return { needs: [permission], place: {} };
  return { needs: [permission, 'UPDATE_PROJECT_RELEASE_TEMPLATE'], place: { project } };
}

/** A choice of the field Project. The value is empty for all projects. */
export interface ProjectChoice {
  readonly value: string;
  readonly label: string;
}

/**
 * Returns the projects whose templates the user may create or change, all projects first. Undefined while the projects
 * are loading.
 */
export function useProjectChoices(permission: Permission): readonly ProjectChoice[] | undefined {
  const may = useMay();
  const { data } = useQuery(projectsQuery);
  if (data === undefined) return undefined;
  const choices = [
    { value: '', label: 'All projects' },
    ...data.projects.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return choices.filter(({ value }) => {
    const { needs, place } = needsOf(permission, value === '' ? null : value);
    return may(needs, place);
  });
}
