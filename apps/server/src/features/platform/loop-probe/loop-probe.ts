import type { loopSteps } from '@yardarm/contract';
import type { Clock } from '#kernel/clock.ts';
import { Loop } from '#kernel/loop.ts';

type LoopStep = (typeof loopSteps)[number];

/** The steps that a probe takes, in order. Each rejects when a signal that came now would get no further. */
export interface LoopPath {
  /** Resolves with the payload of the probe, as filters read it. */
  ingest(): Promise<unknown>;
  /** Resolves with the reason why actions are halted now, if any. */
  matching(payload: unknown): Promise<string | undefined>;
  /** Gives up when `abandoned` aborts. */
  stream(abandoned: AbortSignal): Promise<void>;
}

export interface LoopProbeOptions {
  readonly clock: Clock;
  readonly path: LoopPath;
  /** Called with each probe that failed. */
  onFailed(step: LoopStep, error: unknown): void;
}

/** The result of the probes since the start of the process. */
export interface LoopState {
  /** The time of the last probe that came through, in milliseconds UTC; null before the first. */
  readonly passedAt: number | null;
  /** How long that probe took, in milliseconds; null before the first. */
  readonly tookMs: number | null;
  /** The step at which the latest probe failed; null when it came through, and before the first. */
  readonly stoppedAt: LoopStep | null;
  /** The reason why actions were halted at the last probe that came through, if any. */
  readonly halted: string | null;
}

interface Attempt {
  step: LoopStep;
  readonly abandoned: AbortController;
}

const everyMs = 60_000;
/** The delay of the first probe: a server that starts has other work. */
const firstAfterMs = 5000;
/** The maximum duration of a probe. A probe that takes longer fails. */
const maxMs = 10_000;
/** How often the duration of a running probe is compared with its maximum. */
const lookEveryMs = 100;

/**
 * Watches the loop of this process from a signal to a stream: sends a probe through the loop each minute. While a probe
 * has not ended, sends no other one and counts each minute as a failure, so that at most one probe waits in a queue.
 *
 * Signals are rare, so a loop that stands still would be noticed with the first alert that has no effect; `/ready`
 * answers 200 while a full disk refuses commits or a change that hangs holds up the others. A synthetic signal would
 * store a signal, a run and an event each minute, and make every SDK fetch again. The commit of `ingest` changes a row,
 * because one that changes nothing, or that is rolled back, would not notice a full disk. A probe costs 0.7 to 0.8 ms
 * of the processor and, on SQLite, one `fsync`.
 */
export class LoopProbe {
  readonly #options: LoopProbeOptions;
  #state: LoopState = { passedAt: null, tookMs: null, stoppedAt: null, halted: null };
  readonly #loop: Loop;
  /** The probe that has not ended yet. A probe that failed because it took too long can still be running. */
  #attempt: Attempt | undefined;

  constructor(options: LoopProbeOptions) {
    this.#options = options;
    const onError = (error: unknown) => this.#failed('ingest', error);
    this.#loop = new Loop({ round: () => this.#probe(), onError, firstMs: firstAfterMs, everyMs });
  }

  get state(): LoopState {
    return this.#state;
  }

  start(): void {
    this.#loop.start();
  }

  /** Sends a probe. Resolves when it has come through or failed. */
  run(): Promise<void> {
    return this.#loop.run();
  }

  /** Aborts the probe that is on its way, waits for its end, and sends no more. The aborted probe is not a failure. */
  async stop(): Promise<void> {
    const stopped = this.#loop.stop();
    this.#attempt?.abandoned.abort();
    await stopped;
  }

  async #probe(): Promise<void> {
    const { clock } = this.#options;
    if (this.#attempt !== undefined) {
      this.#failed(this.#attempt.step, new Error('the probe of an earlier minute has not ended'));
      return;
    }
    const attempt: Attempt = { step: 'ingest', abandoned: new AbortController() };
    this.#attempt = attempt;
    const begun = clock.elapsed();
    const passing = this.#pass(attempt).finally(() => {
      this.#attempt = undefined;
    });
    try {
      const halted = await within(passing, clock, maxMs);
      this.#state = {
        passedAt: clock.now(),
        tookMs: clock.elapsed() - begun,
        stoppedAt: null,
        halted: halted ?? null,
      };
    } catch (error) {
      attempt.abandoned.abort();
      if (!this.#loop.stopping.aborted) this.#failed(attempt.step, error);
    }
  }

  async #pass(attempt: Attempt): Promise<string | undefined> {
    const { path } = this.#options;
    const { signal: abandoned } = attempt.abandoned;
    const payload = await path.ingest();
    abandoned.throwIfAborted();
    attempt.step = 'matching';
    const halted = await path.matching(payload);
    abandoned.throwIfAborted();
    attempt.step = 'stream';
    await path.stream(abandoned);
    return halted;
  }

  #failed(step: LoopStep, error: unknown): void {
    this.#state = { ...this.#state, stoppedAt: step };
    this.#options.onFailed(step, error);
  }
}

/** Settles as `work` does, or rejects when `ms` have passed by the clock. */
async function within<T>(work: Promise<T>, clock: Clock, ms: number): Promise<T> {
  const begun = clock.elapsed();
  const late = Promise.withResolvers<never>();
  const timer = setInterval(() => {
    if (clock.elapsed() - begun >= ms) late.reject(new Error(`the probe has not ended in ${ms / 1000} seconds`));
  }, lookEveryMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearInterval(timer);
  }
}
