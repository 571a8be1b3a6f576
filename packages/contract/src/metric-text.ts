import type { Comparison } from './safeguards.ts';

/** The fields of the query of a metric that its name in texts contains. */
export interface NamedQuery {
  readonly metricName: string;
  readonly aggregationMode: string;
  readonly source?: string | undefined;
  readonly dividedBy?: { readonly metricName: string } | undefined;
}

/** Returns whether a value is beyond a threshold, on the side that the comparison names. */
export function isBeyond({ operator, threshold }: Comparison, value: number): boolean {
  return operator === '>' ? value > threshold : value < threshold;
}

/** Returns a query in words: "errors / requests (count)", with "external" after the aggregation. */
export function nameOfQuery({ metricName, dividedBy, aggregationMode, source }: NamedQuery): string {
  const metric = dividedBy === undefined ? metricName : `${metricName} / ${dividedBy.metricName}`;
  return `${metric} (${aggregationMode}${source === 'external' ? ', external' : ''})`;
}

/** Returns a value of a query in words, with the threshold: "errors (count) is 12, above 10". */
export function describeValue(query: NamedQuery, { operator, threshold }: Comparison, value: number): string {
  const beyond = isBeyond({ operator, threshold }, value);
  const side = operator === '>' ? 'above' : 'below';
  return `${nameOfQuery(query)} is ${Number(value.toPrecision(4))}, ${beyond ? '' : 'not '}${side} ${threshold}`;
}
