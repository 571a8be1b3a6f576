import { z } from 'zod';
import type { Actor } from '#kernel/actor.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** A change that was made by breaking glass, described by its event. */
export interface BypassingChange {
  readonly type: string;
  /** Name of the flag or segment. */
  readonly name: string | null;
  readonly environment: string | null;
}

/** A transaction that bypassed review in environments of a project. */
export interface BreakGlassUse {
  readonly id: number;
  readonly project: string;
  readonly environments: readonly string[];
  readonly reason: string;
  readonly changes: readonly BypassingChange[];
  readonly by: Actor;
  /** Milliseconds UTC. */
  readonly at: number;
  readonly acknowledged: boolean;
}

const environmentsColumn = jsonColumn<readonly string[]>('break_glass_uses.environments', z.array(z.string()));
const changesColumn = jsonColumn<readonly BypassingChange[]>(
  'break_glass_uses.changes',
  z.array(z.object({ type: z.string(), name: z.string().nullable(), environment: z.string().nullable() })),
);

/** Inserts a use by the current actor and returns its id. */
export async function insertUse(
  tx: Tx,
  use: Pick<BreakGlassUse, 'project' | 'environments' | 'reason' | 'changes'>,
): Promise<number> {
  const { id } = await tx.db
    .insertInto('break_glass_uses')
    .values({
      project: use.project,
      environments: environmentsColumn.write(use.environments),
      reason: use.reason,
      changes: changesColumn.write(use.changes),
      created_by_user_id: tx.by.actor.userId,
      created_by: tx.by.actor.name,
      created_at: tx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const maxRead = 1000;

/** Returns the unacknowledged uses, newest first; at most 1000. */
export async function unacknowledgedUses(db: Db): Promise<BreakGlassUse[]> {
  const rows = await select(db).where('acknowledged_at', 'is', null).orderBy('id', 'desc').limit(maxRead).execute();
  return rows.map(toUse);
}

export async function findUse(db: Db, id: number): Promise<BreakGlassUse | undefined> {
  const row = await select(db).where('id', '=', id).executeTakeFirst();
  return row && toUse(row);
}

/** Stores that the current actor has acknowledged a use. */
export async function markAcknowledged(tx: Tx, id: number): Promise<void> {
  await tx.db
    .updateTable('break_glass_uses')
    .set({
      acknowledged_by_user_id: tx.by.actor.userId,
      acknowledged_by: tx.by.actor.name,
      acknowledged_at: tx.now,
    })
    .where('id', '=', id)
    .execute();
}

function select(db: Db) {
  return db
    .selectFrom('break_glass_uses')
    .select([
      'id',
      'project',
      'environments',
      'reason',
      'changes',
      'created_by_user_id',
      'created_by',
      'created_at',
      'acknowledged_at',
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number];

function toUse(row: Row): BreakGlassUse {
  return {
    id: row.id,
    project: row.project,
    environments: environmentsColumn.parse(row.environments, row.id),
    reason: row.reason,
    changes: changesColumn.parse(row.changes, row.id),
    by: { userId: row.created_by_user_id, name: row.created_by },
    at: row.created_at,
    acknowledged: row.acknowledged_at !== null,
  };
}
