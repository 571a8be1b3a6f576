import type { Generated } from 'kysely';

export interface SignalTables {
  signal_endpoints: {
    id: Generated<number>;
    name: string;
    description: string | null;
    enabled: number;
    created_at: number;
    created_by_user_id: number;
    /** The kind of sender; its limits are null where the source or the settings decide. */
    source: Generated<string>;
    rate_per_second: number | null;
    burst: number | null;
    max_body_bytes: number | null;
    max_elements: number | null;
    /** `refuse`, or `keep` for an endpoint that stores signals while it is disabled. */
    when_disabled: Generated<string>;
    /** JSON: the paths of the recognised fields, where the owner set them. */
    fields: string | null;
    /** JSON: the paths whose values are dropped. */
    dropped: Generated<string>;
    /** JSON: the paths whose values are hashed. */
    hashed: Generated<string>;
    /** Sealed: the key of the hashes; empty while none was needed. */
    hash_key: Generated<string>;
    enabled_until: number | null;
    retention_days: number | null;
    /** The minutes within which a signal is expected; null expects none. */
    expected_minutes: number | null;
    /** JSON: the filters that an expected signal passes; `{}` where every signal of a sender is one. */
    expected_filters: Generated<string>;
    /** The last signal that was compared with these filters. */
    expected_signal_id: Generated<number>;
    /** The time of the last signal that passed; null when none has. */
    expected_signal_at: number | null;
    /** The time from which the minutes are counted while no signal has come. */
    expected_from: Generated<number>;
    /** The last sign of the sender, while the endpoint is silent. */
    silent_since: number | null;
  };
  signal_endpoint_tokens: {
    id: Generated<number>;
    endpoint_id: number;
    name: string;
    /** Finds the token of a secret; for a token that verifies signatures, a value that no secret has. */
    secret_hash: string;
    created_at: number;
    created_by_user_id: number;
    authentication: Generated<string>;
    /** The lower-case name of the header with the secret. */
    header: string | null;
    /** Sealed; empty for other authentications. */
    signing_secret: Generated<string>;
    /** Its own limits; null where those of the endpoint count alone. */
    rate_per_second: number | null;
    burst: number | null;
    max_body_bytes: number | null;
    enabled_until: number | null;
  };
  /** Signals outlive their endpoint and token, so these are no foreign keys. */
  signals: {
    id: number;
    endpoint_id: number;
    token_id: number;
    created_at: number;
    payload: string;
    /** JSON: the fields that the source of the endpoint recognised. */
    normalized: string | null;
  };
  /** Digests of signals that events name and that retention has deleted. */
  signal_digests: {
    signal_id: number;
    endpoint_id: number;
    token_id: number;
    created_at: number;
    /** SHA-256 of the payload, in hexadecimal, and its length. */
    sha256: string;
    bytes: number;
    deleted_at: number;
  };
  /** Counts of refused requests; token 0 stands for requests without a token of the endpoint. */
  signal_refusals: { endpoint_id: number; token_id: number; reason: string; count: number; last_at: number };
  /** Subscriptions that a sender asks an administrator to confirm. */
  signal_subscriptions: {
    id: Generated<number>;
    endpoint_id: number;
    topic: string;
    /** `pending`, `confirmed` or `ended`. */
    state: string;
    confirm_url: string;
    /** The name of the subscription at the sender, once it is confirmed. */
    subscription: string | null;
    received_at: number;
    changed_at: number;
  };
  signal_deliveries: { endpoint_id: number; delivery_key: string; signal_id: number; created_at: number };
  /** The latest state of each alert with a fingerprint, kept for a day. */
  firing_alerts: {
    endpoint_id: number;
    /** A long one is its SHA-256. */
    fingerprint: string;
    /** As the sender wrote it; null when it does not tell. */
    started_at: string | null;
    /** The latest signal about the alert, and the index of the alert in it; null when the signal is the alert. */
    signal_id: number;
    element: number | null;
    /** The first signal about the alert since it was last resolved. */
    since: number;
    last_at: number;
    /** Null while the alert fires. */
    resolved_at: number | null;
  };
  /** One row: the firing alerts of all signals up to this id are known. */
  firing_alert_cursor: { id: number; signal_id: number };
}
