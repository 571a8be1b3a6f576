import type { StoredSeries } from './store.ts';

/** Returns series, which are in the order of their names, in the text format of Prometheus. */
export function expositionText(series: readonly StoredSeries[]): string {
  const lines: string[] = [];
  for (const [name, group] of Map.groupBy(series, ({ metricName }) => metricName)) {
    const [{ help, type }] = group as [StoredSeries];
    lines.push(`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${type}`);
    for (const one of group.toSorted(inParts)) lines.push(lineOf(one));
  }
  return lines.map((line) => `${line}\n`).join('');
}

function lineOf({ metricName, part, labels, total }: StoredSeries): string {
  const isBucket = part !== '' && part !== 'count' && part !== 'sum';
  const suffix = part === '' ? '' : isBucket ? '_bucket' : `_${part}`;
  const pairs = Object.entries(isBucket ? { ...labels, le: part } : labels);
  return `${metricName}${suffix}{${pairs.map(([name, value]) => `${name}="${escaped(value)}"`).join(',')}} ${total}`;
}

/** Keeps the series of a histogram together: buckets by their limit, then the sum, then the count. */
function inParts(a: StoredSeries, b: StoredSeries): number {
  const [labelsOfA, labelsOfB] = [JSON.stringify(a.labels), JSON.stringify(b.labels)];
  if (labelsOfA !== labelsOfB) return labelsOfA < labelsOfB ? -1 : 1;
  return kindOf(a.part) - kindOf(b.part) || limitOf(a.part) - limitOf(b.part);
}

function kindOf(part: string): number {
  return ['sum', 'count'].indexOf(part);
}

/** Returns a number for +Inf too, since infinities have no difference. */
function limitOf(part: string): number {
  return Math.min(Number(part === '+Inf' ? Number.MAX_VALUE : part), Number.MAX_VALUE) || 0;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
