/** The counts that SDKs reported for an hour, or for a day (UTC) where the data is older. */
export interface Counted {
  readonly timestamp: string;
  readonly yes: number;
  readonly no: number;
}

export interface Point extends Omit<Counted, 'timestamp'> {
  /** The start of the hour or day, in milliseconds. */
  readonly at: number;
}

const hour = 3_600_000;

/**
 * Sums counts by hour, or by day (UTC) when `hours` is more than 48. Includes hours and days without counts. Oldest
 * first.
 */
export function seriesOf(counted: readonly Counted[], hours: number, now: number): Point[] {
  const step = hours > 48 ? 24 * hour : hour;
  const last = now - (now % step);
  const points = new Map<number, { yes: number; no: number }>();
  for (let at = last - hours * hour + (step === hour ? step : 0); at <= last; at += step)
    points.set(at, { yes: 0, no: 0 });
  for (const { timestamp, yes, no } of counted) {
    const at = Date.parse(timestamp);
    const point = points.get(at - (at % step));
    if (point === undefined) continue;
    point.yes += yes;
    point.no += no;
  }
  return [...points].map(([at, sums]) => ({ at, ...sums }));
}

/** Sums counts by key, largest first. */
export function totalsBy<C extends Counted>(
  counted: readonly C[],
  keyOf: (count: C) => string,
): { readonly key: string; readonly yes: number; readonly no: number }[] {
  const totals = new Map<string, { yes: number; no: number }>();
  for (const count of counted) {
    const key = keyOf(count);
    const sum = totals.get(key) ?? { yes: 0, no: 0 };
    totals.set(key, { yes: sum.yes + count.yes, no: sum.no + count.no });
  }
  return [...totals].map(([key, sums]) => ({ key, ...sums })).sort((a, b) => b.yes + b.no - a.yes - a.no);
}

/** Returns the share of evaluations that were on: "53 %". */
export function shareOf({ yes, no }: { readonly yes: number; readonly no: number }): string {
  return yes + no === 0 ? '–' : `${percentOf(yes, yes + no)} %`;
}

/** Returns a part of a whole in percent. The result is 0 only for nothing, and 100 only for all of the whole. */
export function percentOf(part: number, whole: number): number {
  if (part <= 0 || whole <= 0) return 0;
  return part >= whole ? 100 : Math.min(99, Math.max(1, Math.round((part / whole) * 100)));
}
