/** Evaluations of a flag by an application in one environment and hour (`hour` is its start in milliseconds). */
export interface HourlyCount {
  readonly featureName: string;
  readonly appName: string;
  readonly environment: string;
  readonly hour: number;
  yes: number;
  no: number;
  readonly variants: Map<string, number>;
}

export interface ToggleCounts {
  readonly yes: number;
  readonly no: number;
  readonly variants: Readonly<Record<string, number>>;
}

/** No total goes beyond what a JavaScript number holds exactly; it stays there instead. */
export const mostCounted = Number.MAX_SAFE_INTEGER;

export const hourMs = 60 * 60 * 1000;
export const dayMs = 24 * hourMs;
/** How long counts are kept by the hour: the hours that can be asked for, and a day to spare. Reports may be as late. */
export const hourlyMs = 3 * dayMs;
/** How far ahead the clock of an SDK may be. */
const furthestAheadMs = 5 * 60 * 1000;

/** When an SDK began and ended counting, in milliseconds UTC; null where it reports no time. */
export interface Span {
  readonly start: number | null;
  readonly stop: number | null;
}

/**
 * Returns the hour that counts belong to: that of their start, or of their end when the start is too old, or of their arrival at
 * `now` when neither is reported. Returns undefined when both are older than {@link hourlyMs} or in the future.
 */
export function hourOf({ start, stop }: Span, now: number): number | undefined {
  const reported = [start, stop].filter((at) => at !== null);
  const at =
    reported.length === 0 ? now : reported.find((one) => one >= now - hourlyMs && one <= now + furthestAheadMs);
  if (at === undefined) return undefined;
  const counted = Math.min(at, now);
  return counted - (counted % hourMs);
}

/**
 * Counts that wait to be written, added up. Holds at most `max` sums, and takes at most `maxAnHour` different ones while
 * an hour lasts; what would be one more is left out and counted.
 */
export class CountBuffer {
  readonly #max: number;
  readonly #maxAnHour: number;
  #counts = new Map<string, HourlyCount>();
  #sums = 0;
  /** How many sums did not fit since the last {@link take}. */
  #leftOut = 0;

  /** The sums that were met while the newest hour lasted. */
  #met = new Set<string>();
  #newest = 0;

  constructor(max: number, maxAnHour: number) {
    this.#max = max;
    this.#maxAnHour = maxAnHour;
  }

  add(place: Pick<HourlyCount, 'featureName' | 'appName' | 'environment' | 'hour'>, counts: ToggleCounts): void {
    const { featureName, appName, environment, hour } = place;
    // No name holds U+0000.
    const key = `${featureName}\0${environment}\0${hour}\0${appName}\0`;
    let count = this.#counts.get(key);
    if (count === undefined) {
      if (!this.#makesRoom(key, hour)) return;
      count = { featureName, appName, environment, hour, yes: 0, no: 0, variants: new Map() };
      this.#counts.set(key, count);
    }
    count.yes = sum(count.yes, counts.yes);
    count.no = sum(count.no, counts.no);
    for (const [variant, times] of Object.entries(counts.variants)) {
      const before = count.variants.get(variant);
      if (before === undefined && !this.#makesRoom(`${key}${variant}`, hour)) continue;
      count.variants.set(variant, sum(before ?? 0, times));
    }
  }

  /** Hands out what waits and begins anew; `leftOut` is how many sums did not fit. */
  take(): { counts: HourlyCount[]; leftOut: number } {
    const taken = { counts: [...this.#counts.values()], leftOut: this.#leftOut };
    this.#counts = new Map();
    this.#sums = 0;
    this.#leftOut = 0;
    return taken;
  }

  #makesRoom(key: string, hour: number): boolean {
    if (hour > this.#newest) {
      this.#newest = hour;
      this.#met = new Set();
    }
    const isNew = !this.#met.has(key);
    if (this.#sums >= this.#max || (isNew && this.#met.size >= this.#maxAnHour)) {
      this.#leftOut++;
      return false;
    }
    if (isNew) this.#met.add(key);
    this.#sums++;
    return true;
  }
}

function sum(a: number, b: number): number {
  return Math.min(a + b, mostCounted);
}
