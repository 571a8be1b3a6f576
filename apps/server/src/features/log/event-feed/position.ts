import { badField } from '#kernel/errors.ts';

const advice = 'Start again from an id that exists';

/**
 * Rejects with 400 for the field `path` when the log, whose newest event is `newest`, has not reached the event `id`.
 * Waiting for it would silently skip events.
 */
export function requireReached(path: string, id: number, newest: number): void {
  if (id <= newest) return;
  throw badField(
    path,
    `is ${id}, but the newest event is ${newest}. The position belongs to another installation, or an older backup was restored. ${advice}`,
  );
}

/**
 * Rejects with 400 for the field `path` when a position is of another epoch of the log: events before it may be other
 * ones than those that the reader knows.
 */
export function requireEpoch(path: string, epoch: string | undefined, log: { epoch: string; newest: number }): void {
  if (epoch === undefined || epoch === log.epoch) return;
  throw badField(
    path,
    `is ${epoch}, but the epoch of the log is ${log.epoch}. The log went back with its database since the position was read, so other events may have its id; the newest event is ${log.newest}. ${advice}`,
  );
}
