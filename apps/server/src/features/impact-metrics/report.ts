import { createHash } from 'node:crypto';
import type { ImpactMetricsReport, MetricType } from '@yardarm/contract';

/** A time series as Prometheus has it. A histogram is several: its count, its sum, and one for each bucket. */
export interface Series {
  /** A hash of the name, the part and the labels. */
  readonly id: string;
  readonly metricName: string;
  readonly type: MetricType;
  readonly help: string;
  /** `count`, `sum`, or the upper limit of a bucket of a histogram; empty otherwise. */
  readonly part: string;
  readonly labels: Labels;
}

export type Labels = Readonly<Record<string, string>>;

/** A value that a report adds to a series; of a gauge its new value. */
export interface Reported {
  readonly series: Series;
  readonly value: number;
}

/** The sender of a report, as its token tells it. */
export interface Sender {
  readonly environment: string;
  /** Absent for a proxy, which reports for several applications. */
  readonly appName?: string | undefined;
  /** Whether an SDK sent it, or a proxy such as Unleash Edge. */
  readonly origin: 'sdk' | 'Edge';
}

/**
 * Returns what a report adds to each series. The environment is that of the token; the application is the label that
 * the SDK sends, or else the reporting one. So a counter that was idle, which SDKs send without labels, adds 0 to its
 * series. Characters that Prometheus does not allow in names become `_`.
 */
export function reportedSeries(report: ImpactMetricsReport, sender: Sender): Reported[] {
  const reported: Reported[] = [];
  for (const { name, help, type, samples } of report) {
    const metricName = `unleash_${type}_${name.replaceAll(/[^a-zA-Z0-9_:]/g, '_')}`;
    for (const sample of samples) {
      const labels = labelsOf(sample.labels, sender);
      const add = (part: string, value: number) =>
        reported.push({ series: { id: idOf(metricName, part, labels), metricName, type, help, part, labels }, value });
      if ('value' in sample) {
        add('', sample.value);
        continue;
      }
      add('count', sample.count);
      add('sum', sample.sum);
      for (const { le, count } of sample.buckets) add(String(le), count);
    }
  }
  return reported;
}

function labelsOf(given: Readonly<Record<string, string | number>>, { environment, appName, origin }: Sender): Labels {
  const labels: Record<string, string> = appName === undefined ? {} : { appName };
  for (const [name, value] of Object.entries(given)) labels[labelName(name)] = String(value);
  return sorted({ ...labels, environment, origin });
}

/** Returns a name that Prometheus allows. `le` is its own label of buckets. */
export function labelName(name: string): string {
  const allowed = name.replaceAll(/[^a-zA-Z0-9_]/g, '_');
  return allowed === 'le' ? 'exported_le' : allowed;
}

function sorted(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function idOf(metricName: string, part: string, labels: Labels): string {
  const hash = createHash('sha256').update(JSON.stringify([metricName, part, labels]));
  return hash.digest('base64url').slice(0, 16);
}
