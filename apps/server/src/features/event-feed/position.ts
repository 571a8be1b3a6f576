import { badField } from '../../kernel/errors.ts';

/**
 * Rejects with 400 for the field `path` when the log, whose newest event is `newest`, has not reached the event `id`.
 * Waiting for it would silently skip events.
 */
export function requireReached(path: string, id: number, newest: number): void {
  if (id <= newest) return;
  throw badField(
    path,
    `is ${id}, but the newest event is ${newest}. The position belongs to another installation, or an older backup was restored. Start again from an id that exists`,
  );
}
