import { expect } from 'vitest';
import { audit, type Finding } from './audit.ts';
import { call } from './http-call.ts';
import { Ledger } from './ledger.ts';
import { Load, type LoadOptions, sendRepeats } from './load.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import type { Storage } from './storage.ts';
import { loadSettings, newAdminToken, prepareTarget, type Target } from './target.ts';
import { until } from './until.ts';

/** Reads that must succeed while the disk is broken. */
const reads = [
  '/ready',
  '/api/admin/signals',
  '/api/admin/signal-endpoints',
  '/api/admin/events',
  '/api/admin/search/events?query=load',
];

/** A server under load on a storage that a test breaks, and the ledger of the requests sent to it. */
export class Scene {
  readonly storage: Storage;
  readonly target: Target;
  readonly ledger: Ledger;
  /** Settings of the servers. */
  readonly settings: Readonly<Record<string, string>>;
  #server: ServerProcess;
  #load: Load | undefined;

  private constructor(
    storage: Storage,
    server: ServerProcess,
    target: Target,
    ledger: Ledger,
    settings: Readonly<Record<string, string>>,
  ) {
    this.storage = storage;
    this.#server = server;
    this.target = target;
    this.ledger = ledger;
    this.settings = settings;
  }

  static async begin(storage: Storage, extra: Readonly<Record<string, string>> = {}): Promise<Scene> {
    const adminToken = newAdminToken();
    const settings = { ...storage.settings, ...loadSettings(adminToken), ...extra };
    const server = await startServer(settings);
    const ledger = new Ledger();
    try {
      return new Scene(storage, server, await prepareTarget(server.origin, adminToken, ledger), ledger, settings);
    } catch (error) {
      await server.end('SIGKILL');
      throw error;
    }
  }

  get server(): ServerProcess {
    return this.#server;
  }

  startLoad(options?: LoadOptions): void {
    this.#load = new Load(this.target, this.ledger, options);
  }

  /** Stops the load. Resolves when all requests in flight have been answered or have timed out. */
  async stopLoad(): Promise<void> {
    await this.#load?.stop();
    this.#load = undefined;
  }

  async kill(): Promise<void> {
    await this.#server.end('SIGKILL');
    await this.stopLoad();
  }

  /** Starts a server on the storage of the last server; returns the milliseconds until it is ready. */
  async restart(): Promise<number> {
    this.#server = await startServer(this.settings);
    this.target.origin = this.#server.origin;
    return Math.round(this.#server.readyAfterMs);
  }

  /** Resolves with the milliseconds until that many more signals and changes have been acknowledged. */
  async accepts(signals = 1, changes = 1, timeoutMs = 15_000): Promise<number> {
    const begun = performance.now();
    const { signals: hadSignals, changes: hadChanges } = this.ledger.acknowledged;
    await until(`${signals} signals and ${changes} changes to be accepted`, timeoutMs, () => {
      const now = this.ledger.acknowledged;
      return now.signals >= hadSignals + signals && now.changes >= hadChanges + changes;
    });
    return Math.round(performance.now() - begun);
  }

  /** Resolves once that many more signals and changes have been answered 503. */
  async refuses(signals = 1, changes = 1, timeoutMs = 30_000): Promise<void> {
    const { signals: hadSignals, changes: hadChanges } = this.ledger.refusals;
    await until(`${signals} signals and ${changes} changes to be refused`, timeoutMs, () => {
      const now = this.ledger.refusals;
      return now.signals >= hadSignals + signals && now.changes >= hadChanges + changes;
    });
  }

  /** Expects every read to be answered as usual. */
  async expectReads(): Promise<void> {
    const { origin, adminToken: token } = this.target;
    const answers = await Promise.all(reads.map((path) => call(origin, { method: 'GET', path, token })));
    expect(answers.map(({ status }, index) => `${status} ${reads[index]}`)).toEqual(reads.map((path) => `200 ${path}`));
  }

  /**
   * Ends the load, sends unacknowledged signals with a key again, stops the server with SIGTERM and audits the storage.
   */
  async finish(): Promise<Finding> {
    await this.stopLoad();
    await sendRepeats(this.target, this.ledger);
    expect(this.ledger.repeats, 'signals that are still refused').toBe(0);
    expect(await this.#server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    return this.audit();
  }

  /** Expects the stored data to keep every promise. No server may be running. */
  async audit(): Promise<Finding> {
    const finding = await audit(this.storage, this.ledger);
    const log = finding.broken.length === 0 ? '' : `the server's log:\n${this.#server.output().slice(-5000)}\n`;
    expect(finding.broken, log).toEqual([]);
    return finding;
  }

  /** Prints the numbers of requests and answers, which the report of the durability tests quotes. */
  report(what: string, figures: object = {}): void {
    const { acknowledged, answers, slowestMs } = this.ledger;
    const all = { acknowledged, answers, slowestMs: Math.round(slowestMs), ...figures };
    console.log(`${what} (${this.storage.engine}):`, JSON.stringify(all));
  }

  /** Stops the load and the server, whether the test has passed or failed. */
  async end(): Promise<void> {
    await this.kill();
  }
}
