import { isDelivered, type SendResult } from '#features/platform/outbound/index.ts';
import type { Mail, Mailer } from './mail.ts';

/** The delay after each failed attempt; afterwards the mail is given up. */
const delaysMs = [5000, 30_000, 120_000, 600_000];
const maxWaiting = 1000;
const maxConcurrent = 4;

/** The results of an attempt to send an e-mail. */
export const mailOutcomes = ['sent', 'retried', 'failed'] as const;

type MailOutcome = (typeof mailOutcomes)[number];

export interface MailQueueOptions {
  readonly mailer: Mailer;
  /** Called with the result of each attempt. */
  readonly onAttempt: (outcome: MailOutcome) => void;
  /** Called for an e-mail that is given up, with the reason and without its recipients. */
  readonly onLost: (id: string, reason: string) => void;
  readonly delaysMs?: readonly number[];
}

/**
 * Sends e-mail to users in the background, with a few retries in memory. The queue does not survive a restart: a lost
 * link can be created again, and a review request is shown in the user interface. A row of the outbox, which sends
 * e-mail about events, would hold the text, and a password link is a secret of which only the hash is stored.
 */
export class MailQueue {
  readonly #options: MailQueueOptions;
  readonly #ready: { readonly mail: Mail; readonly failures: number }[] = [];
  readonly #timers = new Map<NodeJS.Timeout, Mail>();
  readonly #working = new Set<Promise<void>>();
  #stopped = false;

  constructor(options: MailQueueOptions) {
    this.#options = options;
  }

  /** Queues an e-mail and returns at once. Gives the e-mail up when too many wait. */
  add(mail: Mail): void {
    if (this.#ready.length + this.#timers.size >= maxWaiting) this.#lose(mail, 'Too many e-mails wait.');
    else this.#start(mail, 0);
  }

  /** Resolves when no attempt is running; e-mails that wait for a retry may be left. */
  async idle(): Promise<void> {
    while (this.#working.size > 0) await Promise.all(this.#working);
  }

  /** Finishes the current attempts and gives up the e-mails that wait. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const waiting = [...this.#ready.map(({ mail }) => mail), ...this.#timers.values()];
    for (const timer of this.#timers.keys()) clearTimeout(timer);
    this.#ready.length = 0;
    this.#timers.clear();
    for (const mail of waiting) this.#lose(mail, 'The server stopped.');
    await this.idle();
  }

  #start(mail: Mail, failures: number): void {
    this.#ready.push({ mail, failures });
    this.#sendReady();
  }

  #sendReady(): void {
    while (this.#working.size < maxConcurrent) {
      const next = this.#ready.shift();
      if (next === undefined) return;
      const done = this.#attempt(next.mail, next.failures).finally(() => {
        this.#working.delete(done);
        this.#sendReady();
      });
      this.#working.add(done);
    }
  }

  async #attempt(mail: Mail, failures: number): Promise<void> {
    const { mailer, onAttempt, delaysMs: delays = delaysMs } = this.#options;
    const result = await mailer.send(mail);
    if (isDelivered(result)) return onAttempt('sent');
    const delay = delays[failures];
    if (delay === undefined || this.#stopped || 'final' in result) return this.#lose(mail, reasonOf(result));
    onAttempt('retried');
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#start(mail, failures + 1);
    }, delay);
    this.#timers.set(timer, mail);
  }

  #lose(mail: Mail, reason: string): void {
    this.#options.onAttempt('failed');
    this.#options.onLost(mail.id, reason);
  }
}

function reasonOf(result: SendResult): string {
  return 'failure' in result ? result.failure : '';
}
