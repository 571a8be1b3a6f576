import type { Dialect } from '../dialect.ts';

/** Creates banners, and what the user interface remembers about its users. */
export function interfaceState({ id, int, text, end, engine }: Dialect): readonly string[] {
  const real = engine === 'postgres' ? 'double precision' : 'real';
  return [
    `create table banners (
      id ${id},
      message ${text} not null,
      enabled ${int} not null,
      variant ${text} not null,
      sticky ${int} not null,
      icon ${text},
      link ${text},
      link_text ${text},
      dialog_title ${text},
      dialog ${text},
      created_at ${int} not null
    ) ${end}`,
    `create table splashes_seen (
      user_id ${int} not null references users (id) on delete cascade,
      splash ${text} not null,
      primary key (user_id, splash)
    ) ${end}`,
    `create table opinions_asked (
      user_id ${int} not null references users (id) on delete cascade,
      feedback ${text} not null,
      never_show ${int} not null,
      given_at ${int},
      primary key (user_id, feedback)
    ) ${end}`,
    `create table opinions (
      id ${id},
      created_at ${int} not null,
      category ${text} not null,
      user_type ${text},
      difficulty_score ${real},
      positive ${text},
      areas_for_improvement ${text}
    ) ${end}`,
  ];
}
