import { type Address, known, switchIn, textIn } from '../../lib/address.ts';

/** The search of the list of release templates, as stored in the address of its page. */
export interface TemplateSearch {
  readonly archived?: true;
}

/** The search of the page that creates a release template. */
export interface CreateTemplateSearch {
  /** The project that the form starts with. */
  readonly project?: string;
}

/** Parses the search parameters of the page that creates a template; ignores invalid values. */
export function readCreateTemplateSearch({ project }: Address): CreateTemplateSearch {
  return known({ project: textIn(project) });
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readTemplateSearch({ archived }: Address): TemplateSearch {
  return known({ archived: switchIn(archived) });
}
