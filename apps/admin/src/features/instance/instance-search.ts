export const instanceTabs = ['statistics', 'maintenance', 'banners', 'network'] as const;
export type InstanceTab = (typeof instanceTabs)[number];

/** What the page of the instance shows, as its address has it. */
export function readInstanceSearch(search: Readonly<Record<string, unknown>>): {
  readonly tab?: InstanceTab | undefined;
} {
  const tab = instanceTabs.find((one) => one === search.tab);
  return tab === undefined || tab === 'statistics' ? {} : { tab };
}
