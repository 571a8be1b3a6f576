import { findFeatures, recordFeatureEvents } from '#features/flags/feature/index.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import { Loop } from '#kernel/loop.ts';
import type { Database } from '#storage/database.ts';
import { type Db, sql, type Tx } from '#storage/tx.ts';
import { dayMs, overdue } from './overdue.ts';

const author: Author = { actor: systemActor, cause: {} };
const intervalMs = 60_000;
/** The number of flags marked in one transaction. It is small, so that other writes do not wait long. */
const batchSize = 500;

/**
 * Creates the loop that marks flags as potentially stale when they outlive the lifetime of their type
 * (docs/spec#flag-types). A round returns how many flags it marked. Several processes can run the check: each marks
 * flags in transactions that skip flags already marked, so that a flag is marked once. A flag whose lifetime is
 * extended loses the mark and can get it again.
 */
export function createStalenessCheck(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): Loop<number> {
  const check = async (): Promise<number> => {
    if ((await findUnmarkable(database.db, clock.now())).length > 0)
      await database.writeQuietly('lifecycle', author, unmark);
    let marked = 0;
    while ((await toMark(database.db, clock.now(), 1)).length > 0) {
      const step = await database.write(author, mark);
      marked += step;
      if (step < batchSize) break;
    }
    return marked;
  };
  return new Loop({ round: check, onError, everyMs: intervalMs });
}

async function mark(tx: Tx): Promise<number> {
  const names = await toMark(tx.db, tx.now, batchSize);
  if (names.length === 0) return 0;
  await tx.db.updateTable('features').set({ potentially_stale_at: tx.now }).where('name', 'in', names).execute();
  const features = await findFeatures(tx.db, names);
  const byName = new Map(features.map((feature) => [feature.name, feature]));
  await recordFeatureEvents(
    tx,
    names.flatMap((name) => {
      const feature = byName.get(name);
      return feature === undefined ? [] : [{ feature, event: { type: 'feature-potentially-stale-on' as const } }];
    }),
  );
  return names.length;
}

/** Returns the names of flags to mark. Flags marked as stale need no mark. */
async function toMark(db: Db, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('feature_types as t')
    .innerJoin('features as f', 'f.type', 't.id')
    .select('f.name')
    .where('f.archived_at', 'is', null)
    .where('f.stale', '=', 0)
    .where('f.potentially_stale_at', 'is', null)
    .where(sql<boolean>`f.created_at < ${now} - t.lifetime_days * ${dayMs}`)
    .orderBy('f.name')
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}

/** Finds a marked flag that is within its lifetime again, because its type or the type's lifetime changed. */
function findUnmarkable(db: Db, now: number) {
  return db
    .selectFrom('features as f')
    .select('f.name')
    .where('f.potentially_stale_at', 'is not', null)
    .where((eb) => eb.not(overdue('f', now)))
    .limit(1)
    .execute();
}

async function unmark(tx: Tx): Promise<void> {
  await tx.db
    .updateTable('features')
    .set({ potentially_stale_at: null })
    .where('potentially_stale_at', 'is not', null)
    .where((eb) => eb.not(overdue('features', tx.now)))
    .execute();
}
