import type { MigrationStatements } from './dialect.ts';

/** Failed runs are few among all runs. */
export const actionRunsByState: MigrationStatements = () => [
  'create index action_runs_by_state on action_runs (state, id)',
];
