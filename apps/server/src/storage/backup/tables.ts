import type { Tables } from '../tables.ts';

export type TableName = keyof Tables;

/** Those that others refer to stand before those that refer to them. Does not compile while a table is missing. */
const order: Readonly<Record<TableName, true>> = {
  counters: true,
  settings: true,
  projects: true,
  environments: true,
  project_environments: true,
  segments: true,
  segment_fields: true,
  context_fields: true,
  roles: true,
  role_permissions: true,
  users: true,
  user_groups: true,
  group_users: true,
  project_user_roles: true,
  project_group_roles: true,
  password_links: true,
  used_passwords: true,
  invite_links: true,
  invite_link_users: true,
  sessions: true,
  personal_tokens: true,
  api_tokens: true,
  api_token_projects: true,
  features: true,
  feature_environments: true,
  feature_strategies: true,
  feature_strategy_segments: true,
  feature_strategy_fields: true,
  feature_tags: true,
  client_applications: true,
  client_instances: true,
  client_metrics: true,
  client_metric_variants: true,
  signal_endpoints: true,
  signal_endpoint_tokens: true,
  signals: true,
  signal_deliveries: true,
  events: true,
  event_totals: true,
  jobs: true,
};

/** Every table, in the order in which they can be filled. */
export const tablesInOrder = Object.keys(order) as readonly TableName[];
