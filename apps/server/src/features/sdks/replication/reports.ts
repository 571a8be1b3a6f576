import { randomUUID } from 'node:crypto';
import type { ReplicaReport } from '@yardarm/contract';
import { bufferSamples, type ImpactRecorder, type Sample } from '#features/metrics/impact-metrics/index.ts';
import type { ApiToken } from '#features/people/api-tokens/index.ts';
import {
  type Bucket,
  CountBuffer,
  hourOf,
  type Instance,
  InstanceBuffer,
  type ReportedCount,
  type Reporter,
  type Usage,
} from '#features/sdks/usage/index.ts';
import { WriteBehind } from '#jobs/write-behind.ts';
import type { Clock } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import { chunksOf } from '#kernel/lists.ts';

export interface ReportsOptions {
  readonly clock: Clock;
  /** The highest number of values of impact metrics that wait to be sent. */
  readonly seriesLimit: number;
  /** Sends a report. Rejects with a 503 when it is to be sent again. */
  readonly send: (report: ReplicaReport) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

type Content = Omit<ReplicaReport, 'replica' | 'sequence'>;

const sendEveryMs = 10_000;
const maxInstances = 10_000;
const maxSums = 100_000;
const maxSumsPerHour = 200_000;
const maxTokens = 10_000;
/** The items of a report: about half a megabyte at most, with many variants. */
const itemsPerReport = 200;
const hourMs = 60 * 60 * 1000;

/**
 * Adds up what SDKs report to a replica, and sends it to the upstream. Counts are sums of an hour from the start, so
 * they take the same memory however long the upstream is away. A report is sent until it is answered, with the same
 * number, and counts once.
 */
export class Reports implements Usage {
  /** Impact metrics are added up by minute, and become a part of the reports. */
  readonly impactMetrics: ImpactRecorder;
  readonly #clock: Clock;
  readonly #send: ReportsOptions['send'];
  readonly #replica = randomUUID();
  readonly #instances = new InstanceBuffer(maxInstances);
  readonly #counts = new CountBuffer(maxSums, maxSumsPerHour);
  readonly #onError: (error: unknown) => void;
  readonly #writer: WriteBehind<true>;
  readonly #seriesLimit: number;
  /** By minute and series. */
  #samples = new Map<string, Sample>();
  #tokens = new Set<number>();
  /** Reports with a number, in the order in which they are sent. */
  #unsent: ReplicaReport[] = [];
  #sequence = 0;
  #dropped = 0;

  constructor({ clock, seriesLimit, send, onError }: ReportsOptions) {
    this.#clock = clock;
    this.#send = send;
    this.#onError = onError;
    this.#seriesLimit = seriesLimit;
    this.#writer = new WriteBehind({
      delayMs: sendEveryMs,
      take: () => this.#number() || undefined,
      write: () => this.#sendAll(),
      giveBack: () => undefined,
      onError,
    });
    this.impactMetrics = bufferSamples({
      ...{ clock, limit: seriesLimit, onError },
      write: async (batch) => {
        for (const sample of batch) addSample(this.#samples, sample, sample.minute);
        this.#writer.wake();
        return this.#limitSamples();
      },
    });
  }

  registered(instance: Omit<Instance, 'seenAt'>): void {
    this.#instances.add({ ...instance, seenAt: this.#clock.now() });
    this.#writer.wake();
  }

  counted(reporter: Reporter, bucket: Bucket | null): void {
    this.registered({ ...reporter, startedAt: null, strategies: null });
    if (bucket !== null) this.#count(reporter, bucket);
  }

  countedByProxy(application: Parameters<Usage['countedByProxy']>[0], bucket: Bucket): void {
    const noInstance = { instanceId: null, sdkVersion: null, sdkType: 'backend', address: null } as const;
    this.counted({ ...application, ...noInstance }, bucket);
  }

  relay({ instances, counts }: { instances: readonly Instance[]; counts: readonly ReportedCount[] }): void {
    for (const instance of instances) this.#instances.add(instance);
    for (const { variants, ...count } of counts)
      this.#counts.add(count, { ...count, variants: Object.fromEntries(variants) });
    this.#writer.wake();
  }

  /** Notes that an SDK has asked with a token. */
  tokenSeen({ id }: ApiToken): void {
    if (this.#tokens.size < maxTokens) this.#tokens.add(id);
    this.#writer.wake();
  }

  get dropped(): number {
    return this.#dropped;
  }

  async flush(): Promise<void> {
    await this.impactMetrics.flush();
    await this.#writer.flush();
  }

  async stop(): Promise<void> {
    await this.impactMetrics.stop();
    await this.#writer.stop();
  }

  #count({ appName, environment, scope }: Reporter, bucket: Bucket): void {
    const hour = hourOf(bucket, this.#clock.now());
    const toggles = Object.entries(bucket.toggles);
    if (hour === undefined) this.#dropped += toggles.length;
    else
      for (const [featureName, toggle] of toggles)
        this.#counts.add({ featureName, appName, environment, scope, hour }, toggle);
  }

  /** Gives numbers to the next reports, unless earlier ones wait. Returns whether there is a report to send. */
  #number(): boolean {
    if (this.#unsent.length > 0) return true;
    this.#unsent = this.#contents().map((content) => ({
      replica: this.#replica,
      sequence: ++this.#sequence,
      ...content,
    }));
    return this.#unsent.length > 0;
  }

  /** Returns what has been added up, in parts, and begins anew. */
  #contents(): Content[] {
    const { instances, dropped: droppedInstances } = this.#instances.take();
    const { counts, dropped: droppedCounts } = this.#counts.take();
    const [samples, tokens] = [[...this.#samples.values()], [...this.#tokens]];
    this.#samples = new Map();
    this.#tokens = new Set();
    const dropped = droppedInstances + droppedCounts;
    if (dropped > 0) this.#onError(new Error(`the buffer of reports is full: dropped ${dropped} instances and counts`));
    const none: Content = { instances: [], counts: [], samples: [], tokens: [] };
    return [
      ...parts(instances.map(toSentInstance)).map((part) => ({ ...none, instances: part })),
      ...parts(counts.map(toSentCount)).map((part) => ({ ...none, counts: part })),
      ...parts(samples.map(toSentSample)).map((part) => ({ ...none, samples: part })),
      ...parts(tokens).map((part) => ({ ...none, tokens: part })),
    ];
  }

  /** Sends the reports in their order. One that is refused for good is dropped, and is an error. */
  async #sendAll(): Promise<void> {
    for (;;) {
      const [report] = this.#unsent;
      if (report === undefined) return;
      try {
        await this.#send(report);
      } catch (error) {
        if (error instanceof Problem && error.name === 'ServiceUnavailableError') throw error;
        this.#unsent.shift();
        this.#writer.wake();
        throw error;
      }
      this.#unsent.shift();
    }
  }

  /** Adds up the minutes of an hour when there are too many values. Returns how many had to be dropped even so. */
  #limitSamples(): number {
    if (this.#samples.size <= this.#seriesLimit) return 0;
    const byHour = new Map<string, Sample>();
    for (const sample of this.#samples.values()) addSample(byHour, sample, sample.minute - (sample.minute % hourMs));
    const kept = [...byHour].slice(-this.#seriesLimit);
    this.#samples = new Map(kept);
    return byHour.size - kept.length;
  }
}

/** Adds a value to those of its series at a time; a later value of a gauge replaces the earlier one. */
function addSample(samples: Map<string, Sample>, sample: Sample, minute: number): void {
  const key = `${minute} ${sample.series.id}`;
  const before = sample.series.type === 'gauge' ? undefined : samples.get(key);
  samples.set(key, { ...sample, minute, value: sample.value + (before?.value ?? 0) });
}

function parts<Item>(items: readonly Item[]): Item[][] {
  return [...chunksOf(items, itemsPerReport)].map((part) => [...part]);
}

function toSentInstance({ scope, strategies, ...instance }: Instance): Content['instances'][number] {
  return { ...instance, projects: [...scope.projects], strategies: strategies && [...strategies] };
}

function toSentCount({ scope, variants, ...count }: ReportedCount): Content['counts'][number] {
  return { ...count, projects: [...scope.projects], variants: Object.fromEntries(variants) };
}

function toSentSample({ series, scope, minute, value }: Sample): Content['samples'][number] {
  const { id: _, labels, ...rest } = series;
  const environment = labels['environment'] ?? '';
  return { ...rest, labels: { ...labels }, environment, projects: [...scope.projects], minute, value };
}
