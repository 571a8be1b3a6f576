import { type Administrator, call } from './setup.ts';

/** An alert as Alertmanager sends it. */
interface SentAlert {
  readonly status: 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
}

/** A stored signal: one request of Alertmanager. */
export interface Signal {
  readonly id: number;
  readonly createdAt: string;
  readonly payload: { readonly alerts: readonly SentAlert[] };
}

/** The run of an action set for a signal. */
export interface Run {
  readonly id: number;
  readonly state: 'started' | 'success' | 'failed' | 'skipped';
  readonly reason: string | null;
  readonly signalId: number;
  readonly actionSet: {
    readonly name: string;
    readonly actions: readonly { readonly state: string; readonly details: string | null }[];
  };
}

/** An event of the event log. */
export interface Event {
  readonly id: number;
  readonly type: string;
  readonly label: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly cause: { readonly signalId: number | null; readonly runId: number | null };
}

/** Returns the first firing alert about the flag that Prometheus reports, or undefined. */
export async function firingAlert(prometheusUrl: string, flag: string): Promise<{ name: string } | undefined> {
  type Alerts = { alerts: { state: string; labels: Record<string, string> }[] };
  const { alerts } = await askPrometheus<Alerts>(`${prometheusUrl}/api/v1/alerts`);
  const alert = alerts.find(({ state, labels }) => state === 'firing' && labels.feature_flag === flag);
  return alert && { name: alert.labels.alertname ?? '' };
}

/**
 * Returns how many requests with the flag's label Prometheus has counted in the shop; undefined before the first
 * scrape.
 */
export async function requestsSeen(prometheusUrl: string, flag: string): Promise<number | undefined> {
  const query = encodeURIComponent(`sum(http_requests_total{feature_flag="${flag}"})`);
  type Vector = { result: { value: [number, string] }[] };
  const { result } = await askPrometheus<Vector>(`${prometheusUrl}/api/v1/query?query=${query}`);
  const value = result[0]?.value[1];
  return value === undefined ? undefined : Number(value);
}

async function askPrometheus<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} was answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: T }).data;
}

/** Returns the oldest listed signal of the endpoint that contains such an alert, and the alert; else undefined. */
export async function signalOf(
  admin: Administrator,
  endpointId: number,
  like: { flag: string; status: SentAlert['status'] },
): Promise<{ signal: Signal; alert: SentAlert } | undefined> {
  const path = `signal-endpoints/${endpointId}/signals`;
  const { signalEndpointSignals } = await call<{ signalEndpointSignals: Signal[] }>(admin, 'GET', path);
  for (const signal of signalEndpointSignals.toReversed()) {
    const alert = signal.payload.alerts.find(
      ({ status, labels }) => status === like.status && labels.feature_flag === like.flag,
    );
    if (alert !== undefined) return { signal, alert };
  }
  return undefined;
}

/**
 * Returns the run of a set for a signal once it has succeeded, or undefined before its end. Rejects with its message
 * when it ended otherwise.
 */
export async function runOf(admin: Administrator, setId: number, signalId: number): Promise<Run | undefined> {
  const path = `projects/default/actions/${setId}/events`;
  const { actionSetEvents } = await call<{ actionSetEvents: Run[] }>(admin, 'GET', path);
  const run = actionSetEvents.find((event) => event.signalId === signalId);
  if (run === undefined || run.state === 'started') return undefined;
  if (run.state === 'success') return run;
  const why = [run.reason, ...run.actionSet.actions.map(({ details }) => details)].filter((text) => text !== null);
  throw new Error(`"${run.actionSet.name}" was ${run.state}: ${why.join(' ')}`);
}

/** Returns the events that signals caused, oldest first. */
export async function eventsOf(admin: Administrator, signalIds: readonly number[]): Promise<Event[]> {
  const path = `search/events?signal=IS_ANY_OF:${signalIds.join(',')}`;
  const { events } = await call<{ events: Event[] }>(admin, 'GET', path);
  return events.toReversed();
}
