/** Which roles the page shows, as its address has it: the ones of the whole instance, or those of projects. */
export function readRoleSearch(search: Readonly<Record<string, unknown>>): { readonly tab?: 'project' | undefined } {
  return search.tab === 'project' ? { tab: 'project' } : {};
}
