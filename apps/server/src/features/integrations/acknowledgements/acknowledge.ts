import { acknowledgePermissions } from '@yardarm/contract';
import { permissionProblem } from '#http/permission.ts';
import type { Identity } from '#kernel/caller.ts';
import { Problem } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';
import { attentionEvents } from './events.ts';
import { type OpenItem, openItems } from './open.ts';
import { findAcknowledgements, saveAcknowledged } from './store.ts';

/**
 * Stores that the caller looks after subjects, or withdraws it. Rejects with 404 when a subject has ended or the caller
 * may not see it, with 403 when the caller may not change its flag. Records no event for subjects that stay as they
 * are.
 */
export async function acknowledge(
  tx: Tx,
  caller: Identity,
  { subjects, acknowledged }: { readonly subjects: readonly string[]; readonly acknowledged: boolean },
): Promise<void> {
  const open = new Map((await openItems(tx.db, tx.now)).map((item) => [item.subject, item]));
  const items = [...new Set(subjects)].map((subject) => {
    const item = open.get(subject);
    if (item === undefined || !maySee(caller, item))
      throw new Problem('NotFoundError', `There is nothing to acknowledge as ${subject}: it has ended, or never was.`);
    requireMayAcknowledge(caller, item);
    return item;
  });
  const { name } = caller.actor;
  const known = await findAcknowledgements(
    tx.db,
    items.map(({ subject }) => subject),
  );
  const changed = items.filter(({ subject }) => {
    const by = known.get(subject)?.acknowledged_by ?? null;
    return by !== (acknowledged ? name : null);
  });
  await saveAcknowledged(tx, changed, acknowledged ? name : null);
  const type = acknowledged ? 'automation-acknowledged' : 'automation-acknowledgement-withdrawn';
  for (const event of attentionEvents(changed)) tx.record({ type, ...event });
}

/** Returns whether a caller may see an item: an alert with READ_SIGNALS, a run with READ_ACTIONS. */
export function maySee(
  caller: Pick<Identity, 'can' | 'hidden'>,
  { kind, project }: Pick<OpenItem, 'kind' | 'project'>,
): boolean {
  if (project === null) return caller.can('READ_SIGNALS');
  if (caller.hidden.has(project)) return false;
  return kind !== 'run' || caller.can('READ_ACTIONS', { project });
}

function requireMayAcknowledge(caller: Identity, { project, environment }: OpenItem): void {
  const may = acknowledgePermissions.some((permission) =>
    project === null
      ? caller.canSomewhere(permission)
      : caller.can(permission, environment === null ? { project } : { project, environment }),
  );
  if (!may) throw permissionProblem(acknowledgePermissions, 'to acknowledge this');
}
