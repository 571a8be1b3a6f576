import type { Dialect } from './dialect.ts';

/**
 * Adds to a flag in an environment the newest event of the log when a state last described the flag as off there: what
 * switched the flag off before that event does not keep a later state from switching it on.
 */
export function agreedSwitches({ int }: Dialect): readonly string[] {
  return [`alter table feature_environments add column agreed_off_event ${int}`];
}
