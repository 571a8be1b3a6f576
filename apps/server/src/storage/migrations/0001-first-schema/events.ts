import type { Dialect } from '../dialect.ts';

/** Creates the event log, its search index, its totals and the counters that number rows. */
export function events({ int, text, end, engine }: Dialect): readonly string[] {
  const search =
    engine === 'sqlite'
      ? [
          `create virtual table events_text using fts5(body, content='', contentless_delete=1, tokenize='trigram')`,
          // Triggers keep the index up to date, as PostgreSQL does by itself.
          `create trigger events_text_insert after insert on events begin
            insert into events_text (rowid, body)
            values (new.id, coalesce(new.data, '') || ' ' || coalesce(new.pre_data, '') || ' ' || new.tags);
          end`,
          'create trigger events_text_delete after delete on events begin delete from events_text where rowid = old.id; end',
        ]
      : [
          'create extension if not exists pg_trgm with schema public',
          // In the default collation, so that a search ignores case in all scripts.
          `create index events_text on events using gin (((coalesce(data, '') || ' ' || coalesce(pre_data, '') || ' ' || tags) collate "default") gin_trgm_ops)`,
        ];
  return [
    `create table counters (name ${text} primary key, value ${int} not null, moved_at ${int} not null) ${end}`,
    `insert into counters (name, value, moved_at) values ('event', 0, 0), ('signal', 0, 0)`,
    `create table events (
      id ${int} primary key,
      type ${text} not null,
      created_at ${int} not null,
      created_by ${text} not null,
      created_by_user_id ${int},
      data ${text},
      pre_data ${text},
      tags ${text} not null,
      feature_name ${text},
      project ${text},
      environment ${text},
      group_type ${text},
      group_id ${text},
      request_id ${text},
      signal_id ${int},
      run_id ${int}
    ) ${end}`,
    // Each index serves one filter of a search, newest first. The columns after the id let the search check the other
    // filters without reading the event.
    'create index events_by_project on events (project, id, type, environment, created_by_user_id)',
    'create index events_by_feature on events (feature_name, id)',
    'create index events_by_type on events (type, id, environment, created_by_user_id, project)',
    'create index events_by_environment on events (environment, id, type, created_by_user_id, project)',
    'create index events_by_user on events (created_by_user_id, id, type, environment, project)',
    'create index events_by_time on events (created_at, id)',
    'create index events_by_group on events (group_id, id) where group_id is not null',
    'create index events_by_signal on events (signal_id) where signal_id is not null',
    'create index events_by_run on events (run_id) where run_id is not null',
    `create table event_totals (scope ${text} not null, name ${text} not null, total ${int} not null, primary key (scope, name)) ${end}`,
    // Events of each day, so that the activity of the last weeks is read instead of counted.
    `create table event_days (scope ${text} not null, name ${text} not null, day ${int} not null, total ${int} not null,
      primary key (scope, name, day)) ${end}`,
    ...search,
  ];
}
