import { listRoles } from '#features/people/access/index.ts';
import type { Db } from '#storage/tx.ts';
import type { CheckedGate, Look } from './gate.ts';

/** Opens when the milestone is approved. */
export const approval: CheckedGate = {
  look: async (db, { condition, approval: given }) => {
    const { approval: rule } = condition;
    if (rule === undefined) return undefined;
    if (given !== undefined)
      return { isOpen: true, text: `Approved by ${rule.by === 'action' ? 'an action' : 'a person'}` };
    if (rule.by === 'action') return closed('Waits for the approval of an action');
    const person = 'Waits for the approval of a person';
    return closed(rule.role === undefined ? person : `${person} with the role ${await nameOfRole(db, rule.role)}`);
  },
};

function closed(text: string): Look {
  return { isOpen: false, text };
}

/** Returns the name of a role. For a deleted role, returns its id and says that it was deleted. */
export async function nameOfRole(db: Db, role: number): Promise<string> {
  return (await listRoles(db)).find(({ id }) => id === role)?.name ?? `${role}, which was deleted`;
}
