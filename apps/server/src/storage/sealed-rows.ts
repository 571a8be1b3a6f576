import { type Author, systemActor } from '../kernel/actor.ts';
import type { Database } from './database.ts';
import type { Tx } from './tx.ts';

/** A row with secrets that are not encrypted under the current password. */
export interface StaleRow {
  readonly id: number;
  /** What people know the row by. */
  readonly name: number | string;
  readonly texts: readonly string[];
}

/** Rows whose secrets are stored sealed. */
export interface SealedRows {
  /** What people call such a row, such as `integration`. */
  readonly what: string;
  /** Yields the rows whose secrets do not bear `mark`, in pages. */
  stale(db: Database['db'], mark: string): AsyncIterable<readonly StaleRow[]>;
  /** Stores the secrets of a row sealed anew, unless they were changed meanwhile. */
  replace(tx: Tx, row: StaleRow, texts: readonly string[]): Promise<void>;
  /** Removes the secrets of a row. */
  forget(tx: Tx, row: StaleRow): Promise<void>;
}

type Opened = Pick<Database, 'db' | 'seal' | 'writeQuietly'>;

const author: Author = { actor: systemActor, cause: {} };
/** Rows of a kind that are named; of more only the number is told. */
const mostNamed = 10;

/** Stored secrets were encrypted under a password that is not known here. */
export class SecretsUnreadable extends Error {}

/**
 * Encrypts under the current password all secrets that stand in the database readable, or encrypted under the previous one.
 * Rejects with a {@link SecretsUnreadable} that names the rows, having changed nothing, when one can be read under neither.
 */
export async function sealStored(database: Opened, kinds: readonly SealedRows[]): Promise<void> {
  const unreadable = await unreadableRows(database, kinds);
  if (unreadable.length > 0) throw new SecretsUnreadable(`These cannot be read: ${unreadable.map(named).join('; ')}.`);
  const { db, seal } = database;
  for (const kind of kinds)
    for await (const rows of kind.stale(db, seal.mark))
      await database.writeQuietly('sealing', author, async (tx) => {
        for (const row of rows) {
          const texts = row.texts.map((text) => seal.open(text));
          if (isWhole(texts)) await kind.replace(tx, row, texts.map(seal.seal));
        }
      });
}

/** Removes the stored secrets that cannot be read under the current password or the previous one; answers what they belonged to. */
export async function forgetUnreadable(database: Opened, kinds: readonly SealedRows[]): Promise<readonly string[]> {
  const unreadable = await unreadableRows(database, kinds);
  for (const { kind, rows } of unreadable)
    await database.writeQuietly('sealing', author, async (tx) => {
      for (const row of rows) await kind.forget(tx, row);
    });
  return unreadable.map(named);
}

interface Unreadable {
  readonly kind: SealedRows;
  readonly rows: readonly StaleRow[];
}

async function unreadableRows({ db, seal }: Opened, kinds: readonly SealedRows[]): Promise<Unreadable[]> {
  const found: Unreadable[] = [];
  for (const kind of kinds) {
    const rows: StaleRow[] = [];
    for await (const page of kind.stale(db, seal.mark))
      rows.push(...page.filter(({ texts }) => !isWhole(texts.map((text) => seal.open(text)))));
    if (rows.length > 0) found.push({ kind, rows });
  }
  return found;
}

function isWhole(texts: readonly (string | undefined)[]): texts is readonly string[] {
  return !texts.includes(undefined);
}

function named({ kind, rows }: Unreadable): string {
  const names = [...new Set(rows.map(({ name }) => String(name)))];
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return `${kind.what} ${names.slice(0, mostNamed).join(', ')}${more}`.trimEnd();
}
