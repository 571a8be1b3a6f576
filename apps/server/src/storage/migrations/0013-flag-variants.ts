import type { Dialect } from './dialect.ts';

export function flagVariants({ text, end }: Dialect): readonly string[] {
  return [
    // Apart from the states: like strategies they stay while a project is without the environment.
    `create table feature_variants (
      feature_name ${text} not null references features (name) on delete cascade,
      environment ${text} not null references environments (name) on delete cascade,
      variants ${text} not null,
      primary key (feature_name, environment)
    ) ${end}`,
    'create index feature_variants_by_environment on feature_variants (environment)',
  ];
}
