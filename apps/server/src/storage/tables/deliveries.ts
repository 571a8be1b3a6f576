import type { Generated } from 'kysely';

export interface DeliveryTables {
  /** Messages to receivers: events to integrations, and action calls. Either `integration_id` or `call_id` is set. */
  deliveries: {
    id: Generated<number>;
    message_id: string;
    integration_id: number | null;
    call_id: number | null;
    event_id: number | null;
    /** `waiting`, `delivered` or `dead`. */
    state: string;
    attempts: number;
    /** Failed attempts since the message was queued or redelivered. */
    failures: number;
    status: number | null;
    details: string | null;
    /** Null when the message is delivered or dead. */
    next_attempt_at: number | null;
    created_at: number;
    expires_at: number;
    settled_at: number | null;
  };
  delivery_attempts: {
    id: Generated<number>;
    delivery_id: number;
    integration_id: number | null;
    attempted_at: number;
    duration_ms: number;
    /** The method and the host of the request, such as `POST hooks.example.com`. */
    request: string;
    status: number | null;
    /** The start of the answer, without secrets. */
    answer: string | null;
    error: string | null;
  };
  delivery_health: {
    integration_id: number;
    consecutive_failures: number;
    failing_since: number | null;
    paused_at: number | null;
    last_error: string | null;
    /**
     * The time before which an ordered or paused integration is not called, in milliseconds UTC; 0 when it can be
     * called at once.
     */
    blocked_until: number;
    /** The number of dead letters since the last delivered message. */
    dead_letters: number;
  };
}
