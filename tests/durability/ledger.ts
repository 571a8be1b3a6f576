import { randomBytes, randomUUID } from 'node:crypto';
import type { EventType } from '@yardarm/contract';
import type { Answer } from './http-call.ts';

/**
 * The number of signals with a delivery key that alternate with as many without: groups without keys are stored in
 * another way.
 */
const sameKind = 40;

/** A signal that was sent, and what its answer said. */
export interface SentSignal {
  /** A text that only this payload contains, to find the signal by. */
  readonly marker: string;
  /**
   * The idempotency key. A signal with a key is sent again until it is acknowledged, like one that must not be lost.
   */
  readonly key: string | undefined;
  readonly payload: string;
  /** The id of the signal in the answer; undefined until it is acknowledged. */
  acknowledgedAs?: number;
}

/** A change that was sent, and what its answer said. */
export interface SentChange {
  readonly types: readonly EventType[];
  /** Fields that the last event of the change must have in `data`, or in `preData` if it is a deletion. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The flag that is changed. */
  readonly feature?: string;
  /** The request id in the answer, which events have too; undefined until the change is acknowledged. */
  acknowledgedAs?: string;
}

/** Records requests and answers, for comparing with the storage afterwards. */
export class Ledger {
  readonly signals = new Map<string, SentSignal>();
  readonly changes: SentChange[] = [];
  /** Unexpected answers. */
  readonly surprises: string[] = [];
  /** Answers by status, and `silence` for requests that got none. */
  readonly answers: Record<string, number> = {};
  /** How often signals and changes were answered 503. */
  readonly refusals = { signals: 0, changes: 0 };
  /** Requests answered 503 and not acknowledged later, with the message of the answer. */
  readonly refused = new Map<SentSignal | SentChange, string>();
  slowestMs = 0;
  readonly #toRepeat: SentSignal[] = [];

  /** Returns a signal to send: one that has to be sent again, or a new one of about `bytes`. */
  nextSignal(bytes: number): SentSignal {
    const again = this.#toRepeat.shift();
    if (again !== undefined) return again;
    const marker = randomUUID();
    const signal: SentSignal = {
      marker,
      key: Math.floor(this.signals.size / sameKind) % 2 === 0 ? randomUUID() : undefined,
      payload: JSON.stringify({ marker, filler: randomBytes(Math.ceil(bytes * 0.75)).toString('base64') }),
    };
    this.signals.set(marker, signal);
    return signal;
  }

  /** Returns how many signals wait to be sent again. */
  get repeats(): number {
    return this.#toRepeat.length;
  }

  /** Records the answer to a signal. */
  signalAnswered(signal: SentSignal, answer: Answer): void {
    this.#count(answer);
    if (answer.status === 200) {
      this.refused.delete(signal);
      signal.acknowledgedAs = (answer.body as { signals: { id: number }[] }).signals[0]?.id ?? 0;
      return;
    }
    if (answer.status === 503) {
      this.refusals.signals++;
      this.refused.set(signal, messageOf(answer));
    }
    if (signal.key !== undefined) this.#toRepeat.push(signal);
  }

  /** Records the outcome of a change; returns whether it was acknowledged. */
  changeAnswered(change: SentChange, answer: Answer): boolean {
    this.#count(answer);
    this.changes.push(change);
    if (answer.status === 503) {
      this.refusals.changes++;
      this.refused.set(change, messageOf(answer));
    }
    if (!isSuccess(answer.status)) return false;
    change.acknowledgedAs = answer.headers?.get('x-request-id') ?? '(none)';
    return true;
  }

  get acknowledged(): { signals: number; changes: number } {
    return {
      signals: [...this.signals.values()].filter((signal) => signal.acknowledgedAs !== undefined).length,
      changes: this.changes.filter((change) => change.acknowledgedAs !== undefined).length,
    };
  }

  #count(answer: Answer): void {
    const { status, headers, body, ms } = answer;
    this.answers[status] = (this.answers[status] ?? 0) + 1;
    this.slowestMs = Math.max(this.slowestMs, ms);
    if (status === 503) {
      const { name, message, id } = (body ?? {}) as Record<string, unknown>;
      const explained = name === 'ServiceUnavailableError' && typeof message === 'string' && typeof id === 'string';
      if (!explained || !/^\d+$/.test(headers?.get('retry-after') ?? ''))
        this.surprises.push(`503 without an explanation or Retry-After: ${JSON.stringify(body)}`);
    } else if (status !== 'silence' && !isSuccess(status)) {
      this.surprises.push(`${status} ${JSON.stringify(body)}`);
    }
  }
}

function isSuccess(status: Answer['status']): boolean {
  return status !== 'silence' && status >= 200 && status < 300;
}

function messageOf(answer: Answer): string {
  return String((answer.body as { message?: unknown } | undefined)?.message);
}
