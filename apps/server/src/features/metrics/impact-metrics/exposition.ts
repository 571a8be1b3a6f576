import type { StoredSeries } from './store.ts';

/**
 * Returns series in the text format of Prometheus. `series` is sorted by metric name. Series with the same labels,
 * which were reported with tokens of different projects, become one.
 */
export function expositionText(series: readonly StoredSeries[]): string {
  const lines: string[] = [];
  for (const [name, group] of Map.groupBy(series, ({ metricName }) => metricName)) {
    const [{ help, type }] = group as [StoredSeries];
    lines.push(`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${type}`);
    for (const one of withoutScopes(group).toSorted(inParts)) lines.push(lineOf(one));
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** Adds up the totals of series with the same part and labels; of gauges the newest stays. */
function withoutScopes(group: readonly StoredSeries[]): StoredSeries[] {
  const byLabels = Map.groupBy(group, ({ part, labels }) => JSON.stringify([part, labels]));
  return [...byLabels.values()].map((same) =>
    same.reduce((a, b) => {
      const newest = a.updatedAt >= b.updatedAt ? a : b;
      return a.type === 'gauge' ? newest : { ...newest, total: a.total + b.total };
    }),
  );
}

function lineOf({ metricName, part, labels, total }: StoredSeries): string {
  const isBucket = part !== '' && part !== 'count' && part !== 'sum';
  const suffix = part === '' ? '' : isBucket ? '_bucket' : `_${part}`;
  const pairs = Object.entries(isBucket ? { ...labels, le: part } : labels);
  return `${metricName}${suffix}{${pairs.map(([name, value]) => `${name}="${escaped(value)}"`).join(',')}} ${total}`;
}

/** Compares series of a metric, so that the series of a histogram stay together: buckets by their limit, sum, count. */
function inParts(a: StoredSeries, b: StoredSeries): number {
  const [labelsOfA, labelsOfB] = [JSON.stringify(a.labels), JSON.stringify(b.labels)];
  if (labelsOfA !== labelsOfB) return labelsOfA < labelsOfB ? -1 : 1;
  return kindOf(a.part) - kindOf(b.part) || limitOf(a.part) - limitOf(b.part);
}

function kindOf(part: string): number {
  return ['sum', 'count'].indexOf(part);
}

/** Returns the limit of a bucket as a finite number, because +Inf minus +Inf would be NaN; 0 for other parts. */
function limitOf(part: string): number {
  return Math.min(Number(part === '+Inf' ? Number.MAX_VALUE : part), Number.MAX_VALUE) || 0;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
