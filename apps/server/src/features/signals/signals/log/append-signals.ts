import { itemAt } from '#kernel/lists.ts';
import type { Appended, BulkRow, BulkTable } from '#storage/engine.ts';
import type { IncomingSignal, Signal } from './signal.ts';

/** The table of signals, whose rows are numbered by the counter `signal`. */
export const signalTable: BulkTable = {
  table: 'signals',
  columns: [
    ['id', 'integer'],
    ['created_at', 'integer'],
    ['endpoint_id', 'integer'],
    ['token_id', 'integer'],
    ['payload', 'long text'],
    ['normalized', 'text'],
  ],
};

/** A signal without the key of its delivery. */
export type NewSignal = Omit<IncomingSignal, 'delivery'>;

/** Stores signals in the given order with one `append`, and returns them. */
export async function appendSignals(
  group: readonly NewSignal[],
  append: (rows: BulkRow[]) => Promise<Appended>,
): Promise<Signal[]> {
  if (group.length === 0) return [];
  const { first, at } = await append(
    group.map(({ endpointId, tokenId, payload, normalized }) => [endpointId, tokenId, payload, normalized]),
  );
  return group.map(({ endpointId, tokenId, payload, normalized }, index) => {
    return { id: first + index, endpointId, tokenId, createdAt: at, payload, normalized };
  });
}

/** Stores one signal with one `append`, and returns it. */
export async function appendSignal(signal: NewSignal, append: (rows: BulkRow[]) => Promise<Appended>): Promise<Signal> {
  return itemAt(await appendSignals([signal], append), 0);
}
