import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { AnswerTimes } from './answer-times.ts';

export interface Metrics {
  /** Counts an answer; `seconds` from the first byte of the request to the last of the answer. */
  answered(method: string, route: string, status: number, seconds: number): void;
  /** Shows what `read` answers whenever it is asked for; a counter never falls. */
  watch(type: 'gauge' | 'counter', name: string, help: string, read: () => number): void;
  /** Everything, in Prometheus' text format. */
  text(): Promise<string>;
  registry: Registry;
  stop(): void;
}

/** Metrics of one server; two in one process do not share any. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const answers = new AnswerTimes('http_request_duration_seconds', 'Time to answer, by route as declared');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const longest = new Gauge({
    name: 'event_loop_delay_max_seconds',
    help: 'Longest event loop delay since the metrics were last read',
    registers: [],
  });
  new Gauge({
    name: 'event_loop_delay_p99_seconds',
    help: '99th percentile of the event loop delay since the last time it was asked for',
    registers: [registry],
    collect() {
      this.set(delay.percentile(99) / 1e9);
      longest.set(delay.max / 1e9);
      delay.reset();
    },
  });
  // Read after the percentile, whose reading empties the histogram of both.
  registry.registerMetric(longest);
  return {
    answered: (method, route, status, seconds) => answers.observe(method, route, status, seconds),
    watch: (type, name, help, read) => {
      const made = { name, help, registers: [registry] };
      if (type === 'gauge') new Gauge({ ...made, collect: asGauge(read) });
      else new Counter({ ...made, collect: asCounter(read) });
    },
    text: async () => `${await registry.metrics()}\n${answers.text()}`,
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
