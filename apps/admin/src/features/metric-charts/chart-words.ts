import { modeWords } from '../../entities/safeguards/safeguard-words.ts';
import type { Chart, Lines } from './chart-queries.ts';

export const rangeWords: Readonly<Record<Chart['timeRange'], string>> = {
  hour: 'Last hour',
  day: 'Last day',
  week: 'Last week',
  month: 'Last month',
};

/** Returns the caption of a chart, such as "95th percentile (p95), last hour, environment = production". */
export function describeChart({ aggregationMode, timeRange, labelSelectors, source }: Chart): string {
  const labels = Object.entries(labelSelectors).map(([label, values]) => `${label} = ${values.join(' or ')}`);
  return [
    modeWords[aggregationMode],
    rangeWords[timeRange].toLowerCase(),
    ...labels,
    ...(source === 'external' ? ['from Prometheus'] : []),
  ].join(', ');
}

/**
 * Returns the name of the label that SDKs use for a flag: `_` replaces characters that Prometheus does not allow in
 * names of labels.
 */
export function labelOfFlag(flag: string): string {
  return flag.replaceAll(/[^a-zA-Z0-9_]/g, '_');
}

/**
 * Returns the name of a line, from the value of its label. In the label of a flag, SDKs report `enabled`, `disabled` or
 * the name of the variant.
 */
export function nameOfLine(
  { metric }: Pick<Lines[number], 'metric'>,
  { groupBy }: Pick<Chart, 'groupBy'>,
  flag: string,
): string {
  const [value = ''] = Object.values(metric);
  if (groupBy === null) return 'Value';
  if (labelOfFlag(groupBy) !== labelOfFlag(flag)) return value === '' ? 'none' : value;
  if (value === 'enabled') return 'with the flag';
  return value === 'disabled' ? 'without the flag' : `variant ${value}`;
}

/** Returns a row for each time of the lines: `at`, and the value of each line as `line0`, `line1` and so on. */
export function rowsOf(lines: Lines): Record<string, number>[] {
  const rows = new Map<number, Record<string, number>>();
  for (const [index, { data }] of lines.entries()) {
    for (const [at, value] of data) rows.set(at, { ...(rows.get(at) ?? { at }), [`line${index}`]: value });
  }
  return [...rows.values()].toSorted((a, b) => (a['at'] ?? 0) - (b['at'] ?? 0));
}
