export interface ImpactMetricTables {
  /** Numbers that SDKs report beside their usage. A histogram is several series: its count, its sum and its buckets. */
  impact_series: {
    /** A hash of the name, the part and the labels. */
    id: string;
    /** The name with the prefix of its type, such as `unleash_counter_requests_total`. */
    metric_name: string;
    /** `counter`, `gauge` or `histogram`. */
    type: string;
    help: string;
    /** `count`, `sum`, or the upper limit of a bucket of a histogram; empty otherwise. */
    part: string;
    /** A JSON object with sorted names. */
    labels: string;
    /** The sum of all reports; of a gauge its newest value. */
    total: number;
    updated_at: number;
  };
  /** The values added to a series in a minute; of a gauge its last value in the minute. */
  impact_samples: { series_id: string; minute: number; value: number };
  /** A question to the Prometheus server, with its answer. Kept for minutes. */
  external_readings: {
    /** A hash of the PromQL and the time. */
    id: string;
    promql: string;
    /** The time at which it is evaluated, in milliseconds UTC. */
    at: number;
    /** `wanted`, `asked` or `answered`. */
    state: string;
    /** Null without a value. */
    value: number | null;
    /** Why it has no value, in a sentence. */
    reason: string | null;
    /** 1 when the server answered that it has no series. */
    is_empty: number;
  };
  /** A chart of an impact metric. */
  metric_charts: {
    id: string;
    /** Null for a chart of the instance. */
    feature_name: string | null;
    /** A JSON object. */
    chart: string;
    created_at: number;
  };
  /** A threshold of an impact metric, at which a plan is paused or a flag switched off. */
  safeguards: {
    id: string;
    feature_name: string;
    environment: string;
    /** The plan that it pauses; null when it switches the flag off. */
    plan_id: string | null;
    /** A JSON object. */
    query: string;
    /** `>` or `<`. */
    operator: string;
    threshold: number;
    /** `within`, `triggered`, `crossed` or `no-data`. */
    state: string;
    /** The value when it was last looked at; null without data. */
    value: number | null;
    /** Why it had no value, in a sentence. */
    reason: string | null;
    looked_at: number | null;
    triggered_at: number | null;
    next_look_at: number;
    created_by_user_id: number;
    created_at: number;
  };
}
