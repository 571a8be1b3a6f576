import { badField } from '#kernel/errors.ts';
import type { FlagOrder } from './flag-search.ts';

/** The position of a flag in an order (keyset pagination). */
export interface CursorPosition {
  /** 0 for favorites that come first, else 1. */
  readonly rank: number;
  readonly value: string | number;
  readonly name: string;
}

/** Encodes a position as an opaque cursor, valid for the same order only. */
export function formatCursor(order: FlagOrder, { rank, value, name }: CursorPosition): string {
  return Buffer.from(JSON.stringify([orderKey(order), rank, value, name])).toString('base64url');
}

/** Decodes a cursor. Rejects with 400 when {@link formatCursor} did not make it for the same order. */
export function parseCursor(order: FlagOrder, cursor: string): CursorPosition {
  const [cursorOrder, rank, value, name] = decodeList(cursor);
  const isNumber = !textKeys.has(order.key);
  const isValid =
    typeof rank === 'number' && typeof value === (isNumber ? 'number' : 'string') && typeof name === 'string';
  if (!isValid || cursorOrder !== orderKey(order)) {
    throw badField('cursor', 'must be the `next` value of a search with the same order');
  }
  return { rank, value: value as string | number, name };
}

const textKeys: ReadonlySet<string> = new Set(['name', 'type', 'project']);

function orderKey({ key, descending, favoritesOf }: FlagOrder): string {
  return `${key} ${descending ? 'desc' : 'asc'} ${favoritesOf === undefined ? '' : 'favorites'}`;
}

function decodeList(cursor: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(list) ? list : [];
  } catch {
    // A malformed cursor is rejected by parseCursor, the caller.
    return [];
  }
}
