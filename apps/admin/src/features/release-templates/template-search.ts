/** The search of the list of release templates, as stored in the address of its page. */
export interface TemplateSearch {
  readonly archived?: true;
}

/** Reads the address and drops invalid values. */
export function readTemplateSearch({ archived }: Readonly<Record<string, unknown>>): TemplateSearch {
  return archived === true ? { archived } : {};
}
