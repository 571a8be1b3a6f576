import type { Dialect } from './dialect.ts';

/** Adds to safeguards since when they have no value, and whether people were told. */
export function safeguardsWithoutData({ int }: Dialect): readonly string[] {
  return [
    `alter table safeguards add column no_data_since ${int}`,
    `alter table safeguards add column no_data_told ${int} not null default 0`,
    'create index safeguards_no_data on safeguards (no_data_told, no_data_since)',
  ];
}
