import type { Dialect } from '../dialect.ts';

/** The flag types with their expected lifetimes in days (docs/spec#flag-types). */
const types = [
  ['release', 'Release', 'Lets unfinished work be deployed and shown to a growing share of users.', 40],
  ['experiment', 'Experiment', 'Compares two or more ways of doing something by what users do.', 40],
  ['operational', 'Operational', 'Controls a risk of operation while it lasts, such as a move to another backend.', 7],
  ['kill-switch', 'Kill switch', 'Turns off a part of the system when it does harm.', null],
  ['permission', 'Permission', 'Decides what some users may use and others may not.', null],
  ['sunset', 'Sunset', 'Takes something that is to be retired away from a growing share of users.', 90],
] as const;

/** Creates flag types with their expected lifetimes, links and favorites. */
export function flagExtras({ int, text, end }: Dialect): readonly string[] {
  // Tokens have favorites too, and no account. Favorites of an account are deleted with it.
  const favorites = (what: string, column: string, table: string, key: string) => [
    `create table ${what} (
      user_id ${int} not null,
      account_id ${int} references users (id) on delete cascade,
      ${column} ${text} not null references ${table} (${key}) on delete cascade,
      primary key (user_id, ${column})
    ) ${end}`,
    `create index ${what}_by_account on ${what} (account_id)`,
    `create index ${what}_by_thing on ${what} (${column})`,
  ];
  return [
    `create table feature_types (
      id ${text} primary key,
      place ${int} not null,
      name ${text} not null,
      description ${text} not null,
      lifetime_days ${int}
    ) ${end}`,
    `insert into feature_types (id, place, name, description, lifetime_days) values ${types
      .map(([id, name, description, days], place) => `('${id}', ${place}, '${name}', '${description}', ${days})`)
      .join(', ')}`,
    `create table feature_links (
      id ${text} primary key,
      feature_name ${text} not null references features (name) on delete cascade,
      url ${text} not null,
      title ${text},
      created_at ${int} not null
    ) ${end}`,
    'create index feature_links_by_feature on feature_links (feature_name, created_at)',
    ...favorites('favorite_features', 'feature_name', 'features', 'name'),
    ...favorites('favorite_projects', 'project', 'projects', 'id'),
  ];
}
