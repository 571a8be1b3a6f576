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

/**
 * Creates the write-behind buffer of impact metrics. At most `limit` series are stored, and at most `limit` values are
 * buffered between two writes; of both, {@link Share} gives each token a part. Further values are dropped, counted and
 * logged.
 */
export function createImpactRecorder(
  database: Database,
  clock: Clock,
  limit: number,
  onError: (error: unknown) => void,
): ImpactRecorder {
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
    write: async (batch) => {
      drop(await database.writeQuietly('impact metrics', author, (tx) => addSamples(tx, batch, limit)));
    },
    giveBack: (batch) => {
      const newer = [...buffer.values()];
      empty();
      drop([...batch, ...newer].filter((sample) => !add(sample)).length);
    },
    onError,
  });
  return {
    record: (report, sender) => {
      if (report.length === 0) return;
      const minute = Math.floor(clock.now() / minuteMs) * minuteMs;
      drop(reportedSeries(report, sender).filter((reported) => !add({ ...reported, minute })).length);
      writer.wake();
    },
    get dropped() {
      return dropped;
    },
    flush: () => writer.flush(),
    stop: () => writer.stop(),
  };
}
