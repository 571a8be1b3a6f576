import type { Dialect } from './dialect.ts';

/** How the flags of a project must be named, and what links new ones get. */
export function projectSettings({ text }: Dialect): readonly string[] {
  return [
    `alter table projects add column naming_pattern ${text}`,
    `alter table projects add column naming_example ${text}`,
    `alter table projects add column naming_description ${text}`,
    `alter table projects add column link_templates ${text} not null default '[]'`,
  ];
}
