import { expect } from 'vitest';
import type { TestServer } from './server.ts';
import { givenToken } from './tokens.ts';

export interface Sample {
  readonly value?: number;
  readonly count?: number;
  readonly sum?: number;
  readonly buckets?: readonly { readonly le: number | '+Inf'; readonly count: number }[];
  readonly labels?: Readonly<Record<string, string | number>>;
}

/** A metric in an SDK's report; a counter unless `type` is given. */
export interface ReportedMetric {
  readonly name: string;
  readonly type?: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

/** Reports metrics as the application `shop` does, with a backend token of all projects or of some, and stores them. */
export async function reportMetrics(
  server: TestServer,
  metrics: readonly ReportedMetric[],
  environment = 'production',
  projects: readonly string[] = ['*'],
): Promise<void> {
  const { secret } = await givenToken(server, { environment, projects });
  const impactMetrics = metrics.map((metric) => ({ help: `help of ${metric.name}`, type: 'counter', ...metric }));
  const body = { appName: 'shop', instanceId: 'i', bucket: null, impactMetrics };
  expect((await server.client(secret).call('POST /api/client/metrics', { body })).status).toBe(202);
  await server.app.service.impactMetrics.flush();
  // The first report of an application records an event, which must not appear in the middle of another test.
  await server.app.service.usage.flush();
}

/** Returns a name that no other test uses. */
export function metricNamed(start: string): string {
  return `${start}_${Math.random().toString(36).slice(2, 10)}`;
}

/**
 * Advances the clock to ten seconds into the next minute: from then on, readings include the reports of the minute
 * before.
 */
export function startMinute({ clock }: TestServer): void {
  clock.advance(60_000 - (clock.now() % 60_000) + 10_000);
}

/** Reports a number of errors as the application `shop` in development. */
export function reportErrors(server: TestServer, value: number): Promise<void> {
  return reportMetrics(server, [{ name: 'gate_errors', samples: [{ value }] }], 'development');
}

/** Returns a gate that is open while fewer than `threshold` errors were reported in five minutes. */
export function errorsBelow(threshold: number) {
  const labelSelectors = { environment: ['development'] };
  const metric = { metricName: 'unleash_counter_gate_errors', aggregationMode: 'count', labelSelectors };
  return { impactMetric: { ...metric, timeRange: 'hour', minutes: 5 }, condition: { operator: '<', threshold } };
}
