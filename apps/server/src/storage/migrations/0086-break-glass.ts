import type { Dialect } from './dialect.ts';

/**
 * Changes that bypassed review with break-glass, a row for each project of a change. Projects are named, not referred to:
 * a use stays on the list when its project is gone.
 */
export function breakGlass({ id, int, text, end }: Dialect): readonly string[] {
  return [
    `create table break_glass_uses (
      id ${id},
      project ${text} not null,
      environments ${text} not null,
      reason ${text} not null,
      changes ${text} not null,
      created_by_user_id ${int} not null,
      created_by ${text} not null,
      created_at ${int} not null,
      acknowledged_by_user_id ${int},
      acknowledged_by ${text},
      acknowledged_at ${int}
    ) ${end}`,
    'create index break_glass_uses_open on break_glass_uses (id) where acknowledged_at is null',
  ];
}
