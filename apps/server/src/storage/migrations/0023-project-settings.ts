import type { Dialect } from './dialect.ts';

/** How the flags of a project must be named. */
export function projectSettings({ text }: Dialect): readonly string[] {
  return [
    `alter table projects add column naming_pattern ${text}`,
    `alter table projects add column naming_example ${text}`,
    `alter table projects add column naming_description ${text}`,
  ];
}
