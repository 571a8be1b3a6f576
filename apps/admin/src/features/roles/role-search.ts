import { type Address, choiceIn, known } from '../../lib/address.ts';

/** Reads the selected tab from the address of the roles page. */
export function readRoleSearch({ tab }: Address): { readonly tab?: 'project' | undefined } {
  return known({ tab: choiceIn(['project'] as const, tab) });
}
