import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, Summary } from 'prom-client';
import { bounds, RequestHistogram } from './request-histogram.ts';

export interface Metrics {
  /** Counts an answer. `seconds` is the time from the first byte of the request to the last byte of the answer. */
  answered(method: string, route: string, status: number, seconds: number, isAlias: boolean): void;
  /** Adds a metric whose value `read` returns at each scrape. The value of a counter must never fall. */
  watch(type: 'gauge' | 'counter', name: string, help: string, read: () => number): void;
  /** Adds a gauge with one value for each value of `label`. `read` returns the pairs at each scrape. */
  watchEach(
    name: string,
    help: string,
    label: string,
    read: () => Promise<readonly (readonly [string, number])[]>,
  ): void;
  /**
   * Adds a counter with one value for each value of `label`, and returns the function that increments it. All `values`
   * start at zero: Prometheus would not see a counter that appears with the value 1 as a rise.
   */
  countEach<Value extends string>(
    name: string,
    help: string,
    label: string,
    values: readonly Value[],
  ): (value: Value) => void;
  /** Adds a histogram of times for each value of `label`, and returns the function that adds a time, in seconds. */
  timeEach<Value extends string>(
    name: string,
    help: string,
    label: string,
    values: readonly Value[],
  ): (value: Value, seconds: number) => void;
  /** Adds the sum and the number of times for each value of `label`, and returns the function that adds a time. */
  sumEach(name: string, help: string, label: string): (value: string, seconds: number) => void;
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>;
  registry: Registry;
  stop(): void;
}

/** Creates the metrics of one server. Servers in one process do not share metrics. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const answers = new RequestHistogram('http_request_duration_seconds', 'Time to answer, by route as declared');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const longest = new Gauge({
    name: 'event_loop_delay_max_seconds',
    help: 'Longest event loop delay since the metrics were last read',
    registers: [],
  });
  new Gauge({
    name: 'event_loop_delay_p99_seconds',
    help: '99th percentile of the event loop delay since the metrics were last read',
    registers: [registry],
    collect() {
      this.set(delay.percentile(99) / 1e9);
      longest.set(delay.max / 1e9);
      delay.reset();
    },
  });
  // Registered after the percentile, whose collect() sets this gauge and resets the shared histogram.
  registry.registerMetric(longest);
  let reading: Promise<string> | undefined;
  /** Coalesces concurrent scrapes. */
  const text = () => {
    reading ??= registry
      .metrics()
      .then((own) => `${own}\n${answers.text()}`)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  return {
    answered: (method, route, status, seconds, isAlias) => answers.observe(method, route, status, seconds, isAlias),
    watch: (type, name, help, read) => {
      const made = { name, help, registers: [registry] };
      if (type === 'gauge') new Gauge({ ...made, collect: asGauge(read) });
      else new Counter({ ...made, collect: asCounter(read) });
    },
    watchEach: (name, help, label, read) => {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        async collect() {
          const values = await read();
          this.reset();
          for (const [value, amount] of values) this.set({ [label]: value }, amount);
        },
      });
    },
    countEach: (name, help, label, values) => {
      const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
      for (const value of values) counter.inc({ [label]: value }, 0);
      return (value) => counter.inc({ [label]: value });
    },
    timeEach: (name, help, label, values) => {
      const histogram = new Histogram({ name, help, labelNames: [label], buckets: bounds, registers: [registry] });
      for (const value of values) histogram.zero({ [label]: value });
      return (value, seconds) => histogram.observe({ [label]: value }, seconds);
    },
    sumEach: (name, help, label) => {
      const summary = new Summary({ name, help, labelNames: [label], percentiles: [], registers: [registry] });
      return (value, seconds) => summary.observe({ [label]: value }, seconds);
    },
    text,
    registry,
    stop: () => {
      delay.disable();
      registry.clear();
    },
  };
}

function asGauge(read: () => number) {
  return function collect(this: Gauge) {
    this.set(read());
  };
}

function asCounter(read: () => number) {
  return function collect(this: Counter) {
    this.reset();
    this.inc(read());
  };
}
