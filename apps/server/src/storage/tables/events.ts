export interface EventTables {
  counters: CounterRow;
  events: EventRow;
  /**
   * Number of events per day (UTC); `day` is the start of the day in milliseconds, by the event counter, so that a slow
   * clock moves no event to another day. The transaction that writes the events updates it, with one upsert: counting
   * the events of 30 days at each request took 1.4 s in a project with 5 million, a cache counts in each process, and a
   * job reads the log. It costs 10 % of recording an event, which is within the noise of a change.
   */
  event_days: { scope: 'project' | 'environment'; name: string; day: number; total: number };
  event_consumers: EventConsumerRow;
  /**
   * Numbers of events of projects and flags. The row with the scope `instance` counts the events that retention has
   * deleted.
   */
  event_totals: { scope: 'project' | 'feature' | 'instance'; name: string; total: number };
}

/** A counter. Its row stays locked until the transaction ends, so numbers have no gaps and grow in commit order. */
export interface CounterRow {
  name: CounterName;
  value: number;
  /** Time of the last increment; never decreases, even when the clocks of two machines differ. */
  moved_at: number;
  /** The epoch of the event log, in the row `event` only. */
  epoch: string | null;
  /** The timeline of the database server when a process last looked, in the row `event` only; null on SQLite. */
  timeline: string | null;
}

export type CounterName = 'event' | 'signal' | 'probe';

export interface EventRow {
  id: number;
  type: string;
  created_at: number;
  created_by: string;
  created_by_user_id: number | null;
  data: string | null;
  pre_data: string | null;
  tags: string;
  feature_name: string | null;
  project: string | null;
  environment: string | null;
  group_type: string | null;
  group_id: string | null;
  request_id: string | null;
  signal_id: number | null;
  run_id: number | null;
  /** JSON: where the change came from; null for changes of the server and of action sets. */
  origin: string | null;
  /** Null for a success. */
  outcome: 'failure' | 'refused' | null;
  reason: string | null;
  /** The digest of the other columns but `id` and `created_at`; null in events of earlier versions. */
  digest: string | null;
}

/** A consumer of the event feed. `filters` is JSON. */
export interface EventConsumerRow {
  name: string;
  description: string;
  filters: string;
  acknowledged: number;
  acknowledged_at: number | null;
  /** The epoch of the event log in which `acknowledged` is a position. */
  epoch: string | null;
  worker: string | null;
  leased_until: number | null;
  created_at: number;
}
