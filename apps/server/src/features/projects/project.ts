/** What flags belong to. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly mode: ProjectMode;
  /** What strategies of its flags stick to when they do not say. */
  readonly defaultStickiness: string;
  /** What the names of new flags must look like. */
  readonly naming: FeatureNaming;
  /** What links new flags get. */
  readonly linkTemplates: readonly LinkTemplate[];
  /** Most flags in use that it takes; null for any number. */
  readonly featureLimit: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly archivedAt: number | null;
}

/** A link; in its address `{{project}}` and `{{feature}}` stand for their names. */
export interface LinkTemplate {
  readonly title: string | null;
  readonly urlTemplate: string;
}

/** A regular expression for whole names, and what people are told of it. All null when any name will do. */
export interface FeatureNaming {
  readonly pattern: string | null;
  readonly example: string | null;
  readonly description: string | null;
}

export const anyName: FeatureNaming = { pattern: null, example: null, description: null };

/** Who may change what is in a project; of a private one only they see it (docs/spec#projects). */
export type ProjectMode = 'open' | 'protected' | 'private';

/** The project that always exists. */
export const defaultProject = 'default';

/** A project as the event log keeps it. */
export function projectEventData(project: Project): Record<string, unknown> {
  const { id, name, description, mode, defaultStickiness, featureLimit, naming, linkTemplates } = project;
  return {
    id,
    name,
    description,
    mode,
    defaultStickiness,
    featureLimit,
    ...(naming.pattern === null ? {} : { featureNaming: naming }),
    ...(linkTemplates.length === 0 ? {} : { linkTemplates }),
  };
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
