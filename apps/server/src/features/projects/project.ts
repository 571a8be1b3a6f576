/** What flags belong to. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly mode: ProjectMode;
  /** What strategies of its flags stick to when they do not say. */
  readonly defaultStickiness: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly archivedAt: number | null;
}

export type ProjectMode = 'open' | 'protected' | 'private';

/** The project that always exists. */
export const defaultProject = 'default';

/** A project as the event log keeps it. */
export function projectEventData(project: Project): Record<string, unknown> {
  const { id, name, description, mode, defaultStickiness } = project;
  return { id, name, description, mode, defaultStickiness };
}

/** An id made of a name: what is left of it in lower-case letters and digits, joined by hyphens. May be empty. */
export function idFromName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 90)
    .replace(/^-+|-+$/g, '');
}
