/** Reads the selected tab from the address of the roles page. */
export function readRoleSearch(search: Readonly<Record<string, unknown>>): { readonly tab?: 'project' | undefined } {
  return search.tab === 'project' ? { tab: 'project' } : {};
}
