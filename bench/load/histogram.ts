/** Resolution: values are counted in units of 100 ns. */
const unitsPerMs = 10_000;
/** Each power of two is split into this many buckets, so a bucket is at most 1/128 of its value wide. */
const bucketsPerOctave = 128;
const octaveBits = Math.log2(bucketsPerOctave);
const maxUnits = 2 ** 31 - 1;
const bucketCount = (32 - octaveBits) * bucketsPerOctave;

/** A histogram as JSON: exact sum and extremes, and the non-empty buckets as [index, count]. */
export interface EncodedHistogram {
  readonly sumMs: number;
  readonly minMs: number;
  readonly maxMs: number;
  readonly buckets: readonly (readonly [number, number])[];
}

/** The summary of a distribution of times, in milliseconds; all 0 when `count` is 0. */
export interface LatencySummary {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/**
 * Counts times in fixed memory (25 kB), in buckets whose width grows with the value. `percentile` never understates:
 * for the true nearest-rank value v (ms) it returns a value in [v, v × (1 + 1/128) + 0.0002]. Minimum, maximum, sum and
 * count are exact. The buckets count values above 214 s as 214 s; `maxMs` is still exact.
 */
export class LatencyHistogram {
  count = 0;
  sumMs = 0;
  minMs = Number.POSITIVE_INFINITY;
  maxMs = 0;
  readonly #buckets = new Float64Array(bucketCount);

  /** Counts one time in milliseconds; throws RangeError on a negative or non-finite one. */
  record(ms: number): void {
    if (!(ms >= 0 && ms < Number.POSITIVE_INFINITY)) throw new RangeError(`Not a latency: ${ms}`);
    const bucket = bucketOf(ms);
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.count += 1;
    this.sumMs += ms;
    if (ms < this.minMs) this.minMs = ms;
    if (ms > this.maxMs) this.maxMs = ms;
  }

  /** Returns the nearest-rank value in milliseconds for a fraction in [0, 1]; 0 when nothing was recorded. */
  percentile(fraction: number): number {
    const rank = Math.max(1, Math.ceil(fraction * this.count));
    let seen = 0;
    for (let bucket = 0; bucket < bucketCount; bucket += 1) {
      seen += this.#buckets[bucket] ?? 0;
      if (seen < rank) continue;
      // The last bucket also counts all greater values, of which only the maximum is known.
      return bucket === bucketCount - 1 ? this.maxMs : Math.min(upperEdgeMs(bucket), this.maxMs);
    }
    return 0;
  }

  summary(): LatencySummary {
    return {
      count: this.count,
      mean: this.count === 0 ? 0 : this.sumMs / this.count,
      p50: this.percentile(0.5),
      p90: this.percentile(0.9),
      p99: this.percentile(0.99),
      p999: this.percentile(0.999),
      max: this.maxMs,
    };
  }

  encode(): EncodedHistogram {
    const buckets: [number, number][] = [];
    for (const [bucket, count] of this.#buckets.entries()) if (count > 0) buckets.push([bucket, count]);
    return { sumMs: this.sumMs, minMs: this.count === 0 ? 0 : this.minMs, maxMs: this.maxMs, buckets };
  }

  /** Adds all that another histogram counted, as if it had been recorded here. */
  add(encoded: EncodedHistogram): void {
    if (encoded.buckets.length === 0) return;
    for (const [bucket, count] of encoded.buckets) {
      if (!(bucket in this.#buckets)) throw new RangeError(`No such bucket: ${bucket}`);
      this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + count;
      this.count += count;
    }
    this.sumMs += encoded.sumMs;
    this.minMs = Math.min(this.minMs, encoded.minMs);
    this.maxMs = Math.max(this.maxMs, encoded.maxMs);
  }
}

function bucketOf(ms: number): number {
  const units = Math.min(Math.floor(ms * unitsPerMs), maxUnits);
  if (units < bucketsPerOctave) return units;
  const octave = 31 - Math.clz32(units) - octaveBits;
  return (octave + 1) * bucketsPerOctave + ((units >>> octave) - bucketsPerOctave);
}

function upperEdgeMs(bucket: number): number {
  if (bucket < bucketsPerOctave) return (bucket + 1) / unitsPerMs;
  const octave = Math.floor(bucket / bucketsPerOctave) - 1;
  const position = (bucket % bucketsPerOctave) + bucketsPerOctave;
  return ((position + 1) * 2 ** octave) / unitsPerMs;
}
