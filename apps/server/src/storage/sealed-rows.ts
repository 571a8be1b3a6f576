import { type Author, systemActor } from '#kernel/actor.ts';
import type { Database } from './database.ts';
import type { Tx } from './tx.ts';

/** A row whose secrets are not encrypted with the current password. */
export interface StaleRow {
  readonly id: number;
  /** The name of the row for people. */
  readonly name: number | string;
  readonly texts: readonly string[];
}

/** A kind of rows with sealed secrets. */
export interface SealedRows {
  /** The kind's name for people, such as `integration`. */
  readonly label: string;
  /** Yields the rows whose secrets do not have the prefix `mark`, in pages. */
  stale(db: Database['db'], mark: string): AsyncIterable<readonly StaleRow[]>;
  /** Replaces the sealed secrets of a row, unless they were changed meanwhile. */
  replace(tx: Tx, row: StaleRow, texts: readonly string[]): Promise<void>;
  /** Removes the secrets of a row. */
  forget(tx: Tx, row: StaleRow): Promise<void>;
}

type Opened = Pick<Database, 'db' | 'seal' | 'writeQuietly'>;

const author: Author = { actor: systemActor, cause: {} };
/** The greatest number of rows of a kind that an error lists by name. */
const maxNamed = 10;

/** Stored secrets were encrypted with a password that is not configured. */
export class SecretsUnreadable extends Error {}

/**
 * Encrypts with the current password all secrets that are stored unencrypted or encrypted with the previous password.
 * Rejects with a {@link SecretsUnreadable} that names the rows, having changed nothing, when a secret is encrypted
 * with another password.
 */
export async function sealStored(database: Opened, kinds: readonly SealedRows[]): Promise<void> {
  const unreadable = await unreadableRows(database, kinds);
  if (unreadable.length > 0)
    throw new SecretsUnreadable(
      `These secrets are encrypted with another password: ${unreadable.map(named).join('; ')}.`,
    );
  const { db, seal } = database;
  for (const kind of kinds)
    for await (const rows of kind.stale(db, seal.mark))
      await database.writeQuietly('sealing', author, async (tx) => {
        for (const row of rows) {
          const texts = row.texts.map((text) => seal.open(text));
          if (areAllReadable(texts)) await kind.replace(tx, row, texts.map(seal.seal));
        }
      });
}

/**
 * Removes the secrets that neither the current nor the previous password can decrypt. Resolves with the names of their
 * rows.
 */
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
      rows.push(...page.filter(({ texts }) => !areAllReadable(texts.map((text) => seal.open(text)))));
    if (rows.length > 0) found.push({ kind, rows });
  }
  return found;
}

function areAllReadable(texts: readonly (string | undefined)[]): texts is readonly string[] {
  return !texts.includes(undefined);
}

function named({ kind, rows }: Unreadable): string {
  const names = [...new Set(rows.map(({ name }) => String(name)))];
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return `${kind.label} ${names.slice(0, maxNamed).join(', ')}${more}`.trimEnd();
}
