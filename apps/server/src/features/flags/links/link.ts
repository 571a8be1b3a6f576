import type { Project } from '#features/projects/projects/index.ts';
import { newId } from '#kernel/ids.ts';

/** A link from a flag to documentation or other pages. */
export interface Link {
  /** A UUID. */
  readonly id: string;
  readonly featureName: string;
  readonly url: string;
  readonly title: string | null;
}

/** Largest number of links of a flag (docs/spec#flags). */
export const maxLinks = 10;

/** Returns the trimmed title; null for a blank one. */
export function titleOf({ title }: { readonly title?: string | null | undefined }): string | null {
  return title?.trim() || null;
}

/** Returns a link as the event log stores it. */
export function linkEventData({ url, title }: Link): Record<string, unknown> {
  return { url, ...(title === null ? {} : { title }) };
}

/** Creates the link of a new flag from a link template of its project. */
export function linkFrom(
  { title, urlTemplate }: Project['linkTemplates'][number],
  { project, name }: { readonly project: string; readonly name: string },
): Link {
  const named: Readonly<Record<string, string>> = { project, feature: name };
  const url = urlTemplate.replaceAll(/\{\{(project|feature)\}\}/g, (_all, placeholder: string) =>
    encodeURIComponent(named[placeholder] ?? ''),
  );
  return { id: newId(), featureName: name, url, title };
}
