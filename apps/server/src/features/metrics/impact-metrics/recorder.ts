import type { ImpactMetricsReport } from '@yardarm/contract';
import { WriteBehind } from '#jobs/write-behind.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import { reportedSeries, type Sender } from './report.ts';
import { Share } from './share.ts';
import { addSamples, type Sample } from './store.ts';

/** Receives the impact metrics of SDKs. */
export interface ImpactRecorder {
  /** Adds a report, which is written within seconds; a crash loses the last seconds. */
  record(report: ImpactMetricsReport, sender: Sender): void;
  /** Adds values that a replica has added up. */
  relay(samples: readonly Sample[]): void;
  /** The number of values dropped because there were too many series. */
  readonly dropped: number;
  /** Writes the buffered reports now. */
  flush(): Promise<void>;
  /** Writes the buffered reports and stops the timer. */
  stop(): Promise<void>;
}

const author: Author = { actor: systemActor, cause: {} };
const minuteMs = 60_000;
const writeEveryMs = 3000;

/** Creates the recorder of a server. At most `limit` series are stored; {@link Share} gives each token a part. */
export function createImpactRecorder(
  database: Database,
  clock: Clock,
  limit: number,
  onError: (error: unknown) => void,
): ImpactRecorder {
  const write = (batch: readonly Sample[]) =>
    database.writeQuietly('impact metrics', author, (tx) => addSamples(tx, batch, limit));
  return bufferSamples({ clock, limit, onError, write });
}

export interface SampleBufferOptions {
  readonly clock: Clock;
  readonly limit: number;
  readonly onError: (error: unknown) => void;
  /** Stores or sends values, and returns the number of those that were dropped. */
  readonly write: (batch: readonly Sample[]) => Promise<number>;
}

/**
 * Creates the write-behind buffer of impact metrics. At most `limit` values are buffered between two writes; of them,
 * {@link Share} gives each token a part. Further values are dropped, counted and logged.
 */
export function bufferSamples({ clock, limit, onError, write }: SampleBufferOptions): ImpactRecorder {
  let buffer = new Map<string, Sample>();
  let room = new Share(limit);
  let dropped = 0;
  const drop = (count: number) => {
    if (count === 0) return;
    dropped += count;
    onError(new Error(`the limit of ${limit} series of impact metrics is reached: dropped ${count} values`));
  };
  const add = (sample: Sample): boolean => {
    const { series, minute, value } = sample;
    const key = `${minute} ${series.id}`;
    const before = buffer.get(key);
    if (before === undefined && !room.take(sample.scope)) return false;
    // Values are added up, but a later value of a gauge replaces the earlier one.
    const isSum = before !== undefined && series.type !== 'gauge';
    buffer.set(key, isSum ? { ...before, value: before.value + value } : sample);
    return true;
  };
  const empty = () => {
    buffer = new Map();
    room = new Share(limit);
  };
  const writer = new WriteBehind<readonly Sample[]>({
    delayMs: writeEveryMs,
    take: () => {
      const batch = [...buffer.values()];
      empty();
      return batch.length === 0 ? undefined : batch;
    },
    write: async (batch) => drop(await write(batch)),
    giveBack: (batch) => {
      const newer = [...buffer.values()];
      empty();
      drop([...batch, ...newer].filter((sample) => !add(sample)).length);
    },
    onError,
  });
  const relay = (samples: readonly Sample[]) => {
    drop(samples.filter((sample) => !add(sample)).length);
    writer.wake();
  };
  return {
    record: (report, sender) => {
      if (report.length === 0) return;
      const minute = Math.floor(clock.now() / minuteMs) * minuteMs;
      relay(reportedSeries(report, sender).map((reported) => ({ ...reported, minute })));
    },
    relay,
    get dropped() {
      return dropped;
    },
    flush: () => writer.flush(),
    stop: () => writer.stop(),
  };
}
