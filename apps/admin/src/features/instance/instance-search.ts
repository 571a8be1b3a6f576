export const instanceTabs = ['statistics', 'maintenance', 'banners', 'network'] as const;
export type InstanceTab = (typeof instanceTabs)[number];

/** Reads the selected tab from the address of the instance page. */
export function readInstanceSearch(search: Readonly<Record<string, unknown>>): {
  readonly tab?: InstanceTab | undefined;
} {
  const tab = instanceTabs.find((name) => name === search.tab);
  return tab === undefined || tab === 'statistics' ? {} : { tab };
}
