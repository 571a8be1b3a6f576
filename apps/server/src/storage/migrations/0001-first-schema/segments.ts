import type { Dialect } from '../dialect.ts';

/** Creates segments. */
export function segments({ id, int, text, end }: Dialect): readonly string[] {
  return [
    `create table segments (
      id ${id},
      name ${text} not null unique,
      description ${text},
      project ${text} references projects (id),
      constraints ${text} not null,
      created_by ${text} not null,
      created_at ${int} not null
    ) ${end}`,
    'create index segments_by_project on segments (project)',
    // No cascade: without its segment a strategy would be on for more users than its author meant.
    `create table feature_strategy_segments (
      strategy_id ${text} not null references feature_strategies (id) on delete cascade,
      segment_id ${int} not null references segments (id),
      primary key (strategy_id, segment_id)
    ) ${end}`,
    'create index feature_strategy_segments_by_segment on feature_strategy_segments (segment_id, strategy_id)',
  ];
}
