import { newId } from '../../../kernel/ids.ts';
import type { Project } from '../../projects/index.ts';

/** Where people find more about a flag. */
export interface Link {
  /** A UUID. */
  readonly id: string;
  readonly featureName: string;
  readonly url: string;
  readonly title: string | null;
}

/** Most links of one flag (docs/spec#flags). */
export const maxLinks = 10;

/** A title of nothing but blanks is none. */
export function titleOf({ title }: { readonly title?: string | null | undefined }): string | null {
  return title?.trim() || null;
}

/** A link as the event log keeps it. */
export function linkEventData({ url, title }: Link): Record<string, unknown> {
  return { url, ...(title === null ? {} : { title }) };
}

/** The link that a new flag gets by a template of its project. */
export function linkFrom(
  { title, urlTemplate }: Project['linkTemplates'][number],
  { project, name }: { readonly project: string; readonly name: string },
): Link {
  const named: Readonly<Record<string, string>> = { project, feature: name };
  const url = urlTemplate.replaceAll(/\{\{(project|feature)\}\}/g, (_all, what: string) =>
    encodeURIComponent(named[what] ?? ''),
  );
  return { id: newId(), featureName: name, url, title };
}
