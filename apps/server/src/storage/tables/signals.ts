import type { Generated } from 'kysely';

export interface SignalTables {
  signal_endpoints: {
    id: Generated<number>;
    name: string;
    description: string | null;
    enabled: number;
    created_at: number;
    created_by_user_id: number;
    /** The kind of sender. The four limits below are null where the source or the settings decide. */
    source: Generated<string>;
    /** 1 when all tokens belong to one sender. */
    one_sender: Generated<number>;
    rate_per_second: number | null;
    burst: number | null;
    max_body_bytes: number | null;
    max_elements: number | null;
    /** `refuse`, or `keep` for an endpoint that stores signals while it is disabled. */
    when_disabled: Generated<string>;
    /**
     * JSON: the paths of the recognised fields, such as `{"state":"alert.status"}`, that the owner of the endpoint set;
     * null when the source finds the fields.
     */
    fields: string | null;
    /** JSON: the paths of values that are removed from a payload before it is stored. */
    dropped: Generated<string>;
    /** JSON: the paths of values that are replaced by a keyed hash before a payload is stored. */
    hashed: Generated<string>;
    /** Sealed: the key with which the values at `hashed` are hashed; empty until `hashed` is set for the first time. */
    hash_key: Generated<string>;
    enabled_until: number | null;
    retention_days: number | null;
    /** The minutes within which a signal is expected; null when none is expected. */
    expected_minutes: number | null;
    /** JSON: the filters that an expected signal must pass; `{}` when any signal of a sender is an expected signal. */
    expected_filters: Generated<string>;
    /** The id of the last signal that was compared with `expected_filters`. */
    expected_signal_id: Generated<number>;
    /** The time of the last signal that passed `expected_filters`; null when none has passed. */
    expected_signal_at: number | null;
    /** The time from which `expected_minutes` are counted until the first expected signal arrives. */
    expected_from: Generated<number>;
    /**
     * The beginning of the silence: the time of the last expected signal, or `expected_from`; null while the endpoint
     * is not silent.
     */
    silent_since: number | null;
    /** When people were told of alerts without effect; null while there are none, or they are not told yet. */
    without_effect_told_at: number | null;
  };
  signal_endpoint_tokens: {
    id: Generated<number>;
    endpoint_id: number;
    name: string;
    /** The name of the sender, which tokens of one sender share; null for the unnamed sender. */
    sender: string | null;
    /**
     * The hash of the secret, with which the token of a request is found; for a token that verifies signatures, the
     * hash of a random value that no sender knows.
     */
    secret_hash: string;
    created_at: number;
    created_by_user_id: number;
    authentication: Generated<string>;
    /** The lower-case name of the header with the secret. */
    header: string | null;
    /** Sealed: the secret with which signatures are verified; empty for other kinds of authentication. */
    signing_secret: Generated<string>;
    /**
     * The limits of the token are this column, `burst` and `max_body_bytes`; null where only the limit of the endpoint
     * applies.
     */
    rate_per_second: number | null;
    burst: number | null;
    max_body_bytes: number | null;
    enabled_until: number | null;
  };
  /** Signals outlive their endpoint and token, so `endpoint_id` and `token_id` are not foreign keys. */
  signals: {
    id: number;
    endpoint_id: number;
    token_id: number;
    created_at: number;
    payload: string;
    /** JSON: the fields that the source of the endpoint recognised. */
    normalized: string | null;
  };
  /** Digests of signals that retention has deleted and that events still name. */
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
  /** Counts of refused requests. `token_id` is 0 for requests without a valid token of the endpoint. */
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
    /** The fingerprint of the alert, or its SHA-256 in hexadecimal when it is long or cannot be stored as text. */
    fingerprint: string;
    /** The start of the alert, as the sender wrote it; null when the sender does not tell. */
    started_at: string | null;
    /**
     * The latest signal about the alert. `element` is the index of the alert in this signal; null for a signal of one
     * alert.
     */
    signal_id: number;
    element: number | null;
    /** The first signal about the alert since it was last resolved. */
    since: number;
    last_at: number;
    /** Null while the alert fires. */
    resolved_at: number | null;
  };
  /** A single row with the id of the last signal whose alerts have been added to `firing_alerts`. */
  firing_alert_cursor: { id: number; signal_id: number };
}
