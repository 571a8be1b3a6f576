import type { Dialect } from '../dialect.ts';

/** The built-in fields, which every SDK fills in (docs/spec#context-fields). `sticky` fields can be a stickiness. */
const firstFields = [
  { name: 'environment', description: 'Where the application runs', sticky: 0 },
  { name: 'userId', description: 'Who uses the application', sticky: 1 },
  { name: 'appName', description: 'Name of the application', sticky: 0 },
  { name: 'currentTime', description: 'When the flag is evaluated', sticky: 0 },
  { name: 'sessionId', description: 'The session of who uses the application', sticky: 1 },
];

/** Creates context fields, and the fields that strategies and segments use. */
export function contextFields({ int, text, end }: Dialect): readonly string[] {
  const rows = firstFields.map(
    ({ name, description, sticky }, order) => `('${name}', '${description}', ${sticky}, ${order}, '[]')`,
  );
  return [
    `create table context_fields (
      name ${text} primary key,
      description ${text},
      stickiness ${int} not null,
      sort_order ${int} not null,
      legal_values ${text} not null,
      project ${text} references projects (id),
      created_at ${int}
    ) ${end}`,
    'create index context_fields_by_project on context_fields (project)',
    `insert into context_fields (name, description, stickiness, sort_order, legal_values) values ${rows.join(', ')}`,
    // The fields that constraints use: constraints are JSON text, which no query reads. Columns of the strategy are
    // copied here, so that one index answers how often a field is used and another one where.
    `create table feature_strategy_fields (
      strategy_id ${text} not null references feature_strategies (id) on delete cascade,
      field ${text} not null,
      strategy_name ${text} not null,
      feature_name ${text} not null,
      project ${text} not null,
      environment ${text} not null,
      primary key (strategy_id, field)
    ) ${end}`,
    'create index feature_strategy_fields_by_project on feature_strategy_fields (field, project, feature_name)',
    'create index feature_strategy_fields_as_told on feature_strategy_fields (field, project, environment, strategy_name, feature_name, strategy_id)',
    `create table segment_fields (
      segment_id ${int} not null references segments (id) on delete cascade,
      field ${text} not null,
      primary key (segment_id, field)
    ) ${end}`,
    'create index segment_fields_by_field on segment_fields (field, segment_id)',
  ];
}
