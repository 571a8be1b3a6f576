import { setTimeout as pause } from 'node:timers/promises';
import { type Administrator, administrate } from './administrate.ts';
import { call } from './http-call.ts';
import type { Ledger } from './ledger.ts';
import type { Target } from './target.ts';

export interface LoadOptions {
  readonly senders?: number;
  readonly administrators?: number;
  /** Size of most signals; every tenth has 20 kB. Default 200. */
  readonly bytes?: number;
}

/** The pause of a sender after a refusal or no answer: real senders do not retry at once either. */
const holdBackMs = 20;

/**
 * Sends signals and changes from several clients at once until it is stopped, and records them in the ledger. Each
 * client waits for an answer before its next request.
 */
export class Load {
  #stopped = false;
  readonly #lines: Promise<void>[];

  constructor(target: Target, ledger: Ledger, { senders = 8, administrators = 2, bytes = 200 }: LoadOptions = {}) {
    this.#lines = [
      ...Array.from({ length: senders }, () => this.#send(target, ledger, bytes)),
      ...Array.from({ length: administrators }, () => this.#administrate(target, ledger)),
    ];
  }

  /** Stops the load. Resolves when the requests in flight have been answered or have timed out. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#lines);
  }

  async #send(target: Target, ledger: Ledger, bytes: number): Promise<void> {
    for (let n = 1; !this.#stopped; n++) {
      const status = await sendSignal(target, ledger, n % 10 === 0 ? 20_000 : bytes);
      if (status !== 200) await pause(holdBackMs);
    }
  }

  async #administrate(target: Target, ledger: Ledger): Promise<void> {
    const state: Administrator = { steps: [], subjects: 0 };
    while (!this.#stopped) {
      if (!(await administrate(target, ledger, state))) await pause(holdBackMs);
    }
  }
}

/** Sends the next signal. Returns the status of the answer. */
export async function sendSignal(target: Target, ledger: Ledger, bytes = 200): Promise<number | 'silence'> {
  const signal = ledger.nextSignal(bytes);
  const answer = await call(target.origin, {
    method: 'POST',
    path: `/api/signal-endpoint/${target.endpoint}`,
    token: target.signalToken,
    body: signal.payload,
    ...(signal.key === undefined ? {} : { headers: { 'idempotency-key': signal.key } }),
  });
  ledger.signalAnswered(signal, answer);
  return answer.status;
}

/** Repeats unacknowledged signals that have an idempotency key until all are acknowledged. */
export async function sendRepeats(target: Target, ledger: Ledger): Promise<void> {
  for (let left = ledger.repeats + 100; ledger.repeats > 0 && left > 0; left--) await sendSignal(target, ledger);
}
