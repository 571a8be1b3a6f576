import { compileFilters, type Filters } from '#features/platform/payload-filters/index.ts';
import type { Db } from '#storage/tx.ts';
import { alertsPathOf, listEndpoints, type SignalEndpoint } from '../endpoints/index.ts';
import { type Signal, signalValue } from '../log/index.ts';

/** An alert: a signal (`element` is null), or an element of the array of alerts in a signal. */
interface AlertOfSignal {
  readonly signalEndpointId: number;
  readonly signalId: number;
  readonly element: number | null;
}

/** The maximum number of signals whose payloads are read. An expected signal repeats, so it is among the newest. */
const maxSignals = 50;

/**
 * Returns the alerts that their endpoint expects, such as the Watchdog of Alertmanager: alerts that pass the expected
 * filters of the endpoint. A filter on an element of the array of alerts, such as `alerts[0].labels.alertname`, is
 * applied to each element. Where an endpoint expects any signal, it is the Watchdog. `alerts` must be sorted newest
 * first: only alerts of the newest 50 signals of such endpoints are compared.
 */
export async function expectedAlerts<A extends AlertOfSignal>(db: Db, alerts: readonly A[]): Promise<ReadonlySet<A>> {
  const endpoints = new Map(
    (await listEndpoints(db))
      .map((endpoint) => ({ ...endpoint, expectedFilters: filtersOf(endpoint) }))
      .filter(({ expectedFilters }) => Object.keys(expectedFilters).length > 0)
      .map((endpoint) => [endpoint.id, endpoint]),
  );
  const compared = alerts.filter(({ signalEndpointId }) => endpoints.has(signalEndpointId));
  if (compared.length === 0) return new Set();
  const bySignal = new Map([...Map.groupBy(compared, ({ signalId }) => signalId)].slice(0, maxSignals));
  const signals = await db
    .selectFrom('signals')
    .select(['id', 'payload', 'normalized'])
    .where('id', 'in', [...bySignal.keys()])
    .execute();
  const expected = signals.flatMap((signal) =>
    (bySignal.get(signal.id) ?? []).filter((alert) => {
      const endpoint = endpoints.get(alert.signalEndpointId);
      return endpoint !== undefined && isExpected(endpoint, signal, alert);
    }),
  );
  return new Set(expected);
}

/**
 * Returns the filters of the alerts that an endpoint expects. One that expects any signal is sent the Watchdog, which
 * always fires: Prometheus Operator and its mixins name it so.
 */
function filtersOf(endpoint: SignalEndpoint): Filters {
  const { expectedMinutes, expectedFilters } = endpoint;
  const path = alertsPathOf(endpoint);
  if (expectedMinutes === null || path === undefined || Object.keys(expectedFilters).length > 0) return expectedFilters;
  return { [`${path}[0].labels.alertname`]: watchdog };
}

const watchdog: Filters[string] = { operator: 'IN', values: ['Watchdog'], inverted: false, caseInsensitive: false };

function isExpected(
  endpoint: SignalEndpoint,
  signal: Pick<Signal, 'payload' | 'normalized'>,
  { element }: AlertOfSignal,
): boolean {
  const filters = element === null ? endpoint.expectedFilters : filtersFor(endpoint, element);
  return compileFilters(filters)(signalValue(signal)).every(({ passes }) => passes);
}

/** Returns the expected filters for one alert: the paths into the array of alerts get the index of this alert. */
function filtersFor(endpoint: SignalEndpoint, element: number): Filters {
  const arrays = [alertsPathOf(endpoint), 'normalized.elements'];
  const entries = Object.entries(endpoint.expectedFilters).map(([path, filter]) => {
    const array = arrays.find((name) => name !== undefined && path.startsWith(`${name}[`));
    if (array === undefined) return [path, filter] as const;
    return [`${array}[${element}${path.slice(path.indexOf(']', array.length))}`, filter] as const;
  });
  return Object.fromEntries(entries);
}
