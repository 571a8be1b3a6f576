import { createHash } from 'node:crypto';
import type { ImpactMetricsReport, MetricType } from '@yardarm/contract';
import { allProjects, type TokenScope } from '#features/people/token-scopes/index.ts';

/** A time series in the sense of Prometheus. A histogram has several: its count, its sum, and one for each bucket. */
export interface Series {
  /** A hash of the name, the part, the labels, and the scope unless it is that of all projects. */
  readonly id: string;
  readonly metricName: string;
  readonly type: MetricType;
  readonly help: string;
  /** `count`, `sum`, or the upper limit of a bucket of a histogram; empty otherwise. */
  readonly part: string;
  readonly labels: Labels;
}

export type Labels = Readonly<Record<string, string>>;

/** A value that a report adds to a series; for a gauge, the value that replaces the earlier one. */
export interface Reported {
  readonly series: Series;
  /** The scope of the token of the report. Reports of two scopes are different series, also with the same labels. */
  readonly scope: TokenScope;
  readonly value: number;
}

/** The sender of a report: an SDK or a proxy. */
export interface Sender {
  readonly environment: string;
  /** Absent for a proxy, which reports for several applications. */
  readonly appName?: string | undefined;
  /** Whether an SDK sent it, or a proxy such as Unleash Edge. */
  readonly origin: 'sdk' | 'Edge';
  readonly scope: TokenScope;
}

/**
 * Returns the values that a report adds to series. The label `environment` is that of the token. The label `appName` is
 * that of the sample, or else the application that reports: SDKs send an idle counter without labels, so it adds 0 to
 * the series of its application. Characters that Prometheus does not allow in names become `_`.
 */
export function reportedSeries(report: ImpactMetricsReport, sender: Sender): Reported[] {
  const reported: Reported[] = [];
  for (const { name, help, type, samples } of report) {
    const metricName = `unleash_${type}_${name.replaceAll(/[^a-zA-Z0-9_:]/g, '_')}`;
    for (const sample of samples) {
      const labels = labelsOf(sample.labels, sender);
      const { scope } = sender;
      const add = (part: string, value: number) => {
        reported.push({ series: seriesOf({ metricName, type, help, part, labels }, scope), scope, value });
      };
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

/** Returns the series of a part of a metric with labels, as reported with tokens of a scope. */
export function seriesOf(series: Omit<Series, 'id'>, scope: TokenScope): Series {
  return { id: idOf(series.metricName, series.part, series.labels, scope), ...series };
}

function labelsOf(given: Readonly<Record<string, string | number>>, { environment, appName, origin }: Sender): Labels {
  const labels: Record<string, string> = appName === undefined ? {} : { appName };
  for (const [name, value] of Object.entries(given)) labels[labelName(name)] = String(value);
  return sorted({ ...labels, environment, origin });
}

/**
 * Returns a label name that Prometheus allows for reported labels. `le`, the label of buckets, becomes `exported_le`.
 * Names with two underscores in front, which belong to Prometheus, get the same prefix.
 */
export function labelName(name: string): string {
  const allowed = name.replaceAll(/[^a-zA-Z0-9_]/g, '_');
  return allowed === 'le' || allowed.startsWith('__') ? `exported_${allowed}` : allowed;
}

function sorted(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function idOf(metricName: string, part: string, labels: Labels, { id: scope }: TokenScope): string {
  const parts = scope === allProjects.id ? [metricName, part, labels] : [metricName, part, labels, scope];
  const hash = createHash('sha256').update(JSON.stringify(parts));
  return hash.digest('base64url').slice(0, 16);
}
