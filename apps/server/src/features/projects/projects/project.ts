/** A project: flags with common members and settings. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly mode: ProjectMode;
  /** Default stickiness of strategies in the project. */
  readonly defaultStickiness: string;
  /** Naming rules for new flags. */
  readonly naming: FeatureNaming;
  /** Links that new flags get. */
  readonly linkTemplates: readonly LinkTemplate[];
  /** Maximum number of flags that are not archived; null for no limit. */
  readonly featureLimit: number | null;
  readonly changeReason: ChangeReasonRule;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly archivedAt: number | null;
}

/** A link whose URL may contain the placeholders `{{project}}` and `{{feature}}`. */
export interface LinkTemplate {
  readonly title: string | null;
  readonly urlTemplate: string;
}

/** Returns link templates in the form that is stored: a blank title becomes null. */
export function toLinkTemplates(
  templates: readonly { readonly title?: string | null | undefined; readonly urlTemplate: string }[],
): LinkTemplate[] {
  return templates.map(({ title, urlTemplate }) => ({ title: title?.trim() || null, urlTemplate }));
}

/** A regular expression that whole names must match, with an example and a description. All null without a rule. */
export interface FeatureNaming {
  readonly pattern: string | null;
  readonly example: string | null;
  readonly description: string | null;
}

export const anyName: FeatureNaming = { pattern: null, example: null, description: null };

/** Whether changes of flags need a reason (docs/spec#change-reasons). */
export interface ChangeReasonRule {
  readonly required: boolean;
  /** A regular expression that the reason must contain a match of, such as the id of a ticket. */
  readonly pattern: string | null;
}

export const noReasonRequired: ChangeReasonRule = { required: false, pattern: null };

/** Who may change the contents of a project. Only members see a private project (docs/spec#projects). */
export type ProjectMode = 'open' | 'protected' | 'private';

/** Id of the project that always exists. */
export const defaultProject = 'default';

/** Returns a project as the event log stores it. */
export function projectEventData(project: Project): Record<string, unknown> {
  const { id, name, description, mode, defaultStickiness, featureLimit, naming, linkTemplates, changeReason } = project;
  return {
    id,
    name,
    description,
    mode,
    defaultStickiness,
    featureLimit,
    ...(naming.pattern === null ? {} : { featureNaming: naming }),
    ...(linkTemplates.length === 0 ? {} : { linkTemplates }),
    ...(changeReason.required ? { changeReason } : {}),
  };
}

/** Makes an id from a name: its lower-case ASCII letters and digits, joined by hyphens. May be empty. */
export function idFromName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 90)
    .replace(/^-+|-+$/g, '');
}
