import type { Comparison } from './safeguards.ts';

/** How many minutes the first value of a safeguard takes: a minute that begins after its milestone, and its report. */
export const firstValueMinutes = 2;

/**
 * Returns a warning about milestones of a plan with safeguards whose time is over before a safeguard has a first value;
 * undefined when there are none. `only` limits it to the milestone with this name.
 */
export function warnOfShortSteps(
  milestones: readonly {
    readonly name: string;
    readonly transitionCondition?: { readonly intervalMinutes: number } | null | undefined;
  }[],
  only?: string,
): string | undefined {
  const short = milestones
    .slice(0, -1)
    .filter(({ transitionCondition: gates }) => gates != null && gates.intervalMinutes < firstValueMinutes)
    .filter(({ name }) => only === undefined || name === only);
  if (short.length === 0) return undefined;
  const names = short.map(({ name }) => name).join(', ');
  return `Shorter than a safeguard needs: ${names}. The next milestone also waits for a first value of each safeguard, which takes about ${firstValueMinutes} minutes.`;
}

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
