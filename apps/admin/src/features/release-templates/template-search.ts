/** The search of the list of release templates, as stored in the address of its page. */
export interface TemplateSearch {
  readonly archived?: true;
}

/** Parses the search parameters of the page's URL; ignores invalid values. */
export function readTemplateSearch({ archived }: Readonly<Record<string, unknown>>): TemplateSearch {
  return archived === true ? { archived } : {};
}
