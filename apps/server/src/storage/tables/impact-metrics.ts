export interface ImpactMetricTables {
  /** Numbers that SDKs report beside their usage. A histogram is several series: its count, its sum and its buckets. */
  impact_series: {
    /** A hash of the name, the part, the labels, and the scope unless it is `*`. */
    id: string;
    /** The scope of the token that reported it. */
    scope: string;
    /** The name with the prefix of its type, such as `unleash_counter_requests_total`. */
    metric_name: string;
    /** `counter`, `gauge` or `histogram`. */
    type: string;
    help: string;
    /** `count`, `sum`, or the upper limit of a bucket of a histogram; empty otherwise. */
    part: string;
    /** A JSON object: the labels, sorted by name. */
    labels: string;
    /** The sum of all reported values; for a gauge the newest value. */
    total: number;
    updated_at: number;
  };
  /** The sum of the values that were reported for a series in a minute; for a gauge the last value of the minute. */
  impact_samples: { series_id: string; minute: number; value: number };
  /** Queries to the Prometheus server, with their answers. Rows are kept for minutes. */
  external_readings: {
    /** A hash of the PromQL and the time. */
    id: string;
    promql: string;
    /** The time for which the server evaluates the query, in milliseconds UTC. */
    at: number;
    /**
     * `wanted` until a process takes the query to send it, then `asked`, and `answered` with the answer or an error.
     */
    state: string;
    /** The value that the server answered; null when there is none. */
    value: number | null;
    /** A sentence that says why there is no value; null with a value. */
    reason: string | null;
    /** 1 when the server answered that the query matches no series. */
    is_empty: number;
  };
  /** Charts of impact metrics. */
  metric_charts: {
    id: string;
    /** Null for a chart of the instance. */
    feature_name: string | null;
    /** A JSON object. */
    chart: string;
    created_at: number;
  };
  /** Safeguards: thresholds of impact metrics at which a release plan is paused or a flag is switched off. */
  safeguards: {
    id: string;
    feature_name: string;
    environment: string;
    /** The release plan that the safeguard pauses; null when the safeguard switches the flag off. */
    plan_id: string | null;
    /** `off` or a milestone at which the safeguard holds the flag; null when it does not hold it. */
    hold_at: string | null;
    /** A JSON object. */
    query: string;
    /** `>` or `<`. */
    operator: string;
    threshold: number;
    /**
     * `within` the threshold, `triggered` when the safeguard has paused the plan, held or switched off the flag,
     * `crossed` when there was nothing to do, or `no-data`.
     */
    state: string;
    /** The value of the metric at the last check (`looked_at`); null without data. */
    value: number | null;
    /** A sentence that says why the metric had no value; null with a value. */
    reason: string | null;
    looked_at: number | null;
    triggered_at: number | null;
    next_look_at: number;
    /** Since when the safeguard of a flag that is on has no value; null while it has one. */
    no_data_since: number | null;
    /** 1 when an event has recorded that it has no value. */
    no_data_told: number;
    created_by_user_id: number;
    created_at: number;
  };
}
