export interface SdkTables {
  client_applications: {
    app_name: string;
    first_seen_at: number;
    last_seen_at: number;
    strategies: string;
  };
  client_instances: {
    app_name: string;
    instance_id: string;
    environment: string;
    sdk_version: string | null;
    started_at: number | null;
    last_seen_at: number;
  };
  /** Evaluations counted by the hour. `hour` is the start of it, in milliseconds. */
  client_metrics: {
    feature_name: string;
    app_name: string;
    environment: string;
    hour: number;
    yes: number;
    no: number;
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
