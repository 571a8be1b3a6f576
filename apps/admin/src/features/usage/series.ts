/** As much as is read of what SDKs counted in an hour, or for older ones in a day (UTC). */
export interface Counted {
  readonly timestamp: string;
  readonly yes: number;
  readonly no: number;
}

export interface Point extends Omit<Counted, 'timestamp'> {
  /** When the hour or day began, in milliseconds. */
  readonly at: number;
}

const hour = 3_600_000;

/**
 * Adds up by the hour, or by the day (UTC) where more than 48 hours are looked back; each of them is there, also those in
 * which nothing was counted, the oldest first.
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

/** Sums by whatever `keyOf` tells them apart by, the largest first. */
export function totalsBy<C extends Counted>(
  counted: readonly C[],
  keyOf: (one: C) => string,
): { readonly key: string; readonly yes: number; readonly no: number }[] {
  const totals = new Map<string, { yes: number; no: number }>();
  for (const one of counted) {
    const key = keyOf(one);
    const sum = totals.get(key) ?? { yes: 0, no: 0 };
    totals.set(key, { yes: sum.yes + one.yes, no: sum.no + one.no });
  }
  return [...totals].map(([key, sums]) => ({ key, ...sums })).sort((a, b) => b.yes + b.no - a.yes - a.no);
}

/** Which part got the flag: "53 %". */
export function shareOf({ yes, no }: { readonly yes: number; readonly no: number }): string {
  return yes + no === 0 ? '–' : `${Math.round((yes / (yes + no)) * 100)} %`;
}
