import type { Dialect } from '../dialect.ts';

/** Creates tag types and tags. */
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
      color ${text},
      primary key (type, value)
    ) ${end}`,
    `insert into tag_types (name, description, created_at) values ('simple', 'Groups flags in any way.', 0)`,
  ];
}
