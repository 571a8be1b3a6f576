import type { TokenScope } from '#features/people/token-scopes/index.ts';

/** Counts as reported, with the scope of the token: only those of flags in the scope are stored. */
export interface ReportedCount extends HourlyCount {
  readonly scope: TokenScope;
}

/**
 * The evaluations of a flag by an application in one environment and hour (`hour` is its start in milliseconds UTC).
 */
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

/** The maximum count: the largest integer that a JavaScript number holds exactly. */
export const maxCount = Number.MAX_SAFE_INTEGER;

export const hourMs = 60 * 60 * 1000;
export const dayMs = 24 * hourMs;
/**
 * The time for which counts are kept by the hour: one day longer than clients can query. Reports may arrive this late.
 */
export const hourlyMs = 3 * dayMs;

/** The period of a report, in milliseconds UTC; null where the SDK reports no time. */
export interface Period {
  readonly start: number | null;
  readonly stop: number | null;
}

/**
 * Returns the hour that counts belong to: the hour of their start, or of their end when the start is missing, older
 * than {@link hourlyMs} or in the future. Returns the hour of `now` when neither is reported, and when the reporter's
 * clock is ahead; undefined when all reported times are too old.
 */
export function hourOf({ start, stop }: Period, now: number): number | undefined {
  const reported = [start, stop].filter((at) => at !== null);
  const recent = reported.length === 0 ? [now] : reported.filter((time) => time >= now - hourlyMs);
  const at = recent.find((time) => time <= now) ?? (recent.length === 0 ? undefined : now);
  return at === undefined ? undefined : at - (at % hourMs);
}

/**
 * A write-behind buffer that adds up counts. Holds at most `max` sums, and accepts at most `maxPerHour` different sums
 * in an hour. Further sums are dropped, and their number is reported.
 */
export class CountBuffer {
  readonly #max: number;
  readonly #maxPerHour: number;
  #counts = new Map<string, ReportedCount>();
  #sums = 0;
  /** The number of sums dropped since the last {@link take}. */
  #dropped = 0;

  /** The keys of the sums accepted in the newest hour. */
  #keysOfHour = new Set<string>();
  #newestHour = 0;

  constructor(max: number, maxPerHour: number) {
    this.#max = max;
    this.#maxPerHour = maxPerHour;
  }

  add(
    place: Pick<ReportedCount, 'featureName' | 'appName' | 'environment' | 'hour' | 'scope'>,
    counts: ToggleCounts,
  ): void {
    const { featureName, appName, environment, hour, scope } = place;
    // Names cannot contain U+0000.
    const key = `${featureName}\0${environment}\0${hour}\0${appName}\0${scope.id}\0`;
    let count = this.#counts.get(key);
    if (count === undefined) {
      if (!this.#accept(key, hour)) return;
      count = { featureName, appName, environment, hour, scope, yes: 0, no: 0, variants: new Map() };
      this.#counts.set(key, count);
    }
    count.yes = addedUp(count.yes, counts.yes);
    count.no = addedUp(count.no, counts.no);
    for (const [variant, times] of Object.entries(counts.variants)) {
      const before = count.variants.get(variant);
      if (before === undefined && !this.#accept(`${key}${variant}`, hour)) continue;
      count.variants.set(variant, addedUp(before ?? 0, times));
    }
  }

  /** Returns the buffered counts and empties the buffer; `dropped` is the number of sums that did not fit. */
  take(): { counts: ReportedCount[]; dropped: number } {
    const taken = { counts: [...this.#counts.values()], dropped: this.#dropped };
    this.#counts = new Map();
    this.#sums = 0;
    this.#dropped = 0;
    return taken;
  }

  /** Drops the counts of flags that were deleted. */
  forget(flags: ReadonlySet<string>): void {
    for (const [key, { featureName, variants }] of this.#counts) {
      if (!flags.has(featureName)) continue;
      this.#counts.delete(key);
      this.#sums -= 1 + variants.size;
    }
  }

  #accept(key: string, hour: number): boolean {
    if (hour > this.#newestHour) {
      this.#newestHour = hour;
      this.#keysOfHour = new Set();
    }
    const isNew = !this.#keysOfHour.has(key);
    if (this.#sums >= this.#max || (isNew && this.#keysOfHour.size >= this.#maxPerHour)) {
      this.#dropped++;
      return false;
    }
    if (isNew) this.#keysOfHour.add(key);
    this.#sums++;
    return true;
  }
}

/** Returns a sum, limited to {@link maxCount}. */
export function addedUp(a: number, b: number): number {
  return Math.min(a + b, maxCount);
}
