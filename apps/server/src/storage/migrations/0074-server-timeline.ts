import type { Dialect } from './dialect.ts';

/**
 * Adds the timeline of the database server to the counter of events. When the server has another one at the next start,
 * it was promoted or recovered while no process read the log (docs/adr, 95).
 */
export function serverTimeline({ text }: Dialect): readonly string[] {
  return [`alter table counters add column timeline ${text}`];
}
