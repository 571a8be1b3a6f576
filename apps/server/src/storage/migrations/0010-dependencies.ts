import type { Dialect } from './dialect.ts';

export function dependencies({ int, text, end }: Dialect): readonly string[] {
  return [
    // A flag depends on one other at most (docs/spec#flag-dependencies).
    `create table feature_dependencies (
      child ${text} primary key references features (name) on delete cascade,
      parent ${text} not null references features (name) on delete cascade,
      enabled ${int} not null,
      variants ${text} not null
    ) ${end}`,
    'create index feature_dependencies_by_parent on feature_dependencies (parent)',
  ];
}
