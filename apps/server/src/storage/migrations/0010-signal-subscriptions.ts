import type { Dialect } from './dialect.ts';

/** Adds the subscriptions that a sender asks an administrator to confirm. */
export function signalSubscriptions({ id, int, text, end }: Dialect): readonly string[] {
  return [
    `create table signal_subscriptions (
      id ${id},
      endpoint_id ${int} not null references signal_endpoints (id) on delete cascade,
      topic ${text} not null,
      state ${text} not null,
      confirm_url ${text} not null,
      subscription ${text},
      received_at ${int} not null,
      changed_at ${int} not null,
      unique (endpoint_id, topic)
    ) ${end}`,
  ];
}
