export interface SdkTables {
  client_applications: {
    app_name: string;
    first_seen_at: number;
    last_seen_at: number;
    strategies: string;
    /**
     * 1 when an SDK has registered under this name or a person has described the application; 0 when SDKs have only
     * reported usage.
     */
    announced: number;
    /** 1 when a person has described the application; retention does not delete such an application. */
    described: number;
    description: string | null;
    url: string | null;
    color: string | null;
    icon: string | null;
    /**
     * A JSON object: the description by persons who could not see the application, and all that they see of it. Null
     * when there is none.
     */
    shown: string | null;
  };
  /** The number of the last report of each replica. */
  replica_reports: { replica: string; sequence: number; reported_at: number };
  /** The projects of API tokens, by scope. The scope of all projects, `*`, has no row. */
  token_scopes: { scope: string; project: string };
  /** The scopes of the tokens with which an application has reported. */
  application_scopes: {
    app_name: string;
    scope: string;
    first_seen_at: number;
    last_seen_at: number;
    /** A JSON list: the strategies that its SDK supports; null until it registers. */
    strategies: string | null;
  };
  /** Written by versions up to 0.9; the successor is `application_instances`. */
  client_instances: {
    app_name: string;
    instance_id: string;
    environment: string;
    sdk_version: string | null;
    started_at: number | null;
    last_seen_at: number;
    sdk_type: string;
    address: string | null;
  };
  /** Running SDKs, with the scope of the token with which each reports. */
  application_instances: {
    app_name: string;
    instance_id: string;
    environment: string;
    scope: string;
    sdk_version: string | null;
    started_at: number | null;
    last_seen_at: number;
    sdk_type: string;
    address: string | null;
  };
  /** Flags that an application evaluates. */
  application_flags: { app_name: string; environment: string; feature_name: string; last_seen_at: number };
  /** Flags that an application evaluates and that do not exist in the projects of its token. */
  application_unknown_flags: {
    app_name: string;
    feature_name: string;
    environment: string;
    scope: string;
    last_seen_at: number;
  };
  /** Written by versions up to 0.9; the successor is `application_unknown_flags`. */
  unknown_flags: { feature_name: string; app_name: string; environment: string; last_seen_at: number };
  /** Evaluations per hour; `hour` is the start of the hour in milliseconds. */
  client_metrics: {
    feature_name: string;
    app_name: string;
    environment: string;
    hour: number;
    yes: number;
    no: number;
  };
  /** Evaluations per day, for days older than the hourly counts; `day` is the start of the day in milliseconds. */
  client_metrics_daily: {
    feature_name: string;
    app_name: string;
    environment: string;
    day: number;
    yes: number;
    no: number;
  };
  client_metric_variants_daily: {
    feature_name: string;
    app_name: string;
    environment: string;
    day: number;
    variant: string;
    count: number;
  };
  client_metric_variants: {
    feature_name: string;
    app_name: string;
    environment: string;
    hour: number;
    variant: string;
    count: number;
  };
}
