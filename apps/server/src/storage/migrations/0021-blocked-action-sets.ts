import type { Dialect } from './dialect.ts';

/**
 * Creates the list of action sets whose service account lacks what they need. A row outlives its set, so that the end
 * is recorded.
 */
export function blockedActionSets({ int, text, end }: Dialect): readonly string[] {
  return [
    `create table blocked_action_sets (
      action_set_id ${int} primary key,
      name ${text} not null,
      project ${text} not null,
      reason ${text} not null,
      blocked_since ${int} not null
    ) ${end}`,
  ];
}
