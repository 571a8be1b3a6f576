import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { AnswerTimes } from './answer-times.ts';

export interface Metrics {
  /** Counts an answer; `seconds` from the first byte of the request to the last of the answer. */
  answered(method: string, route: string, status: number, seconds: number): void;
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
  new Gauge({
    name: 'event_loop_delay_p99_seconds',
    help: '99th percentile of the event loop delay since the last time it was asked for',
    registers: [registry],
    collect() {
      this.set(delay.percentile(99) / 1e9);
      delay.reset();
    },
  });
  return {
    answered: (method, route, status, seconds) => answers.observe(method, route, status, seconds),
    text: async () => `${await registry.metrics()}\n${answers.text()}`,
    registry,
    stop: () => {
      delay.disable();
      registry.clear();
    },
  };
}
