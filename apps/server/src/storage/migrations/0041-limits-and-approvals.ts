import type { Dialect } from './dialect.ts';

/** How many flags a project takes, and how many approvals an environment asks for where changes are reviewed. */
export function limitsAndApprovals({ int }: Dialect): readonly string[] {
  return [
    `alter table projects add column feature_limit ${int}`,
    `alter table environments add column required_approvals ${int}`,
  ];
}
