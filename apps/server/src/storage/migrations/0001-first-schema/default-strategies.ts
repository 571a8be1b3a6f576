import type { Dialect } from '../dialect.ts';

/** Creates the default strategies of projects. */
export function defaultStrategies({ int, text, end }: Dialect): readonly string[] {
  const place = `project ${text} not null, environment ${text} not null`;
  const refers = 'foreign key (project, environment) references default_strategies (project, environment)';
  return [
    `create table default_strategies (
      ${place},
      name ${text} not null,
      title ${text},
      parameters ${text} not null,
      constraints ${text} not null,
      variants ${text} not null,
      primary key (project, environment),
      foreign key (project, environment) references project_environments (project, environment) on delete cascade
    ) ${end}`,
    `create table default_strategy_segments (
      ${place},
      segment_id ${int} not null references segments (id),
      primary key (project, environment, segment_id),
      ${refers} on delete cascade
    ) ${end}`,
    'create index default_strategy_segments_by_segment on default_strategy_segments (segment_id)',
    `create table default_strategy_fields (
      ${place},
      field ${text} not null,
      primary key (project, environment, field),
      ${refers} on delete cascade
    ) ${end}`,
    'create index default_strategy_fields_by_field on default_strategy_fields (field)',
  ];
}
