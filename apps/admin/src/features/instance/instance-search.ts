import { type Address, choiceIn, known } from '../../lib/address.ts';

export const instanceTabs = ['statistics', 'maintenance', 'banners', 'network'] as const;
export type InstanceTab = (typeof instanceTabs)[number];

/** Reads the selected tab from the address of the instance page. The first tab has no name there. */
export function readInstanceSearch(address: Address): { readonly tab?: InstanceTab | undefined } {
  const [, ...others] = instanceTabs;
  return known({ tab: choiceIn<InstanceTab>(others, address.tab) });
}
