import type { Dialect } from './dialect.ts';

export function tags({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table tag_types (
      name ${text} primary key,
      description ${text} not null,
      icon ${text},
      color ${text},
      created_at ${int} not null
    ) ${end}`,
    `create table tags (
      type ${text} not null references tag_types (name),
      value ${text} not null,
      primary key (type, value)
    ) ${end}`,
    `insert into tag_types (name, description, created_at) values ('simple', 'Groups flags in any way.', 0)`,
    // Flags could have tags of any type before.
    `insert into tag_types (name, description, created_at)
      select distinct type, '', 0 from feature_tags where type <> 'simple'`,
    'insert into tags (type, value) select distinct type, value from feature_tags',
  ];
}
