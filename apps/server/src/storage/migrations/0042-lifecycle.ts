import type { Dialect } from './dialect.ts';

/** When flags came into the stages of their life that nothing else tells of, and what became of those that are completed. */
export function lifecycle({ int, text }: Dialect): readonly string[] {
  return [
    `alter table features add column pre_live_at ${int}`,
    `alter table features add column live_at ${int}`,
    `alter table features add column completed_at ${int}`,
    `alter table features add column completed_status ${text}`,
    `alter table features add column completed_value ${text}`,
  ];
}
