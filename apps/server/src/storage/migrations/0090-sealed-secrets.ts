import { markLength } from '../seal.ts';
import type { Dialect } from './dialect.ts';

/**
 * Marks secrets that stand in the database as they are, so that the next start encrypts them; runs are found by the mark. A
 * request that was made before is found by the hash of its URL, since the URL itself is encrypted and may be secret.
 */
export function sealedSecrets({ text }: Dialect): readonly string[] {
  return [
    `update integrations set parameters = 'plain:' || parameters`,
    `update actions set params = 'plain:' || params where action = 'CALL_URL'`,
    `update action_runs set action_set = 'plain:' || action_set where action_set like '%"action":"CALL_URL"%'`,
    `create index action_runs_by_mark on action_runs (substr(action_set, 1, ${markLength}), id)
      where substr(action_set, 1, 1) <> '{'`,
    `alter table action_calls add column url_hash ${text}`,
    `update action_calls set url = '', headers = '', body = '' where next_attempt_at is null`,
    `update action_calls set url = 'plain:' || url, headers = 'plain:' || headers, body = 'plain:' || body
      where next_attempt_at is not null`,
  ];
}
