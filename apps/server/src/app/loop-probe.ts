import { loopSteps } from '@yardarm/contract';
import type { Runner } from '#features/automation/actions/index.ts';
import { LoopProbe } from '#features/platform/loop-probe/index.ts';
import { type Ingest, probeIngest } from '#features/signals/signals/index.ts';
import { probeStreams } from '#http/probe-streams.ts';
import type { Streams } from '#http/streams.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import { advanceCounter } from '#storage/counter.ts';
import type { Database } from '#storage/database.ts';
import type { ServiceDependencies } from './dependencies.ts';

const author: Author = { actor: systemActor, cause: {} };

/**
 * Advances the counter of the probe, which the change feed reads with each look at the log, and stores the timeline of
 * the server whose log they follow. Resolves when all caches of this process have handled what was committed before;
 * rejects when they read a log without the new number.
 */
export async function probeCaches({
  feed,
  writeQuietly,
  keepTimeline,
}: Pick<Database, 'writeQuietly' | 'keepTimeline'> & {
  readonly feed: Pick<Database['feed'], 'catchUp' | 'probe'>;
}): Promise<void> {
  const { last } = await writeQuietly('loop probe', author, (tx) => advanceCounter(tx.db, 'probe', 1, tx.now));
  await feed.catchUp();
  if (feed.probe < last)
    throw new Error(`the caches read the number ${feed.probe} of the probe, after ${last} was committed`);
  await keepTimeline();
}

/** Builds the loop probe, and adds its metrics. Returns undefined when a setting turns it off. */
export function buildLoopProbe(
  { config, clock, database, log, metrics }: ServiceDependencies,
  ingest: Ingest,
  runner: Runner,
  streams: Streams,
): LoopProbe | undefined {
  if (!config.loopProbe) return undefined;
  const countFailure = metrics.countEach(
    'loop_probe_failures_total',
    'Probes of the loop from a signal to a stream that failed or took over 10 seconds, by the step at which they stopped',
    'step',
    loopSteps,
  );
  const probe = new LoopProbe({
    clock,
    path: {
      ingest: () => probeIngest(ingest),
      matching: (payload) => runner.probe(payload),
      stream: async (abandoned) => {
        await probeCaches(database);
        await probeStreams(streams, abandoned);
      },
    },
    onFailed: (step, error) => {
      countFailure(step);
      log.error({ err: error }, `the loop from a signal to a stream stopped at ${step}`);
    },
  });
  metrics.watch(
    'gauge',
    'loop_probe_seconds',
    'Seconds that the last probe took from ingest through matching to a stream. It stores no signal, changes no flag and uses no connection of an SDK. NaN before the first',
    () => (probe.state.tookMs ?? Number.NaN) / 1000,
  );
  metrics.watch(
    'gauge',
    'loop_probe_last_success_timestamp_seconds',
    'Unix time of the last probe that came through the loop from a signal to a stream; 0 before the first',
    () => (probe.state.passedAt ?? 0) / 1000,
  );
  return probe;
}
