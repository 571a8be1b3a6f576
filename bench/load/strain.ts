import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How busy the load generator was. A result measures the server only while these values are low. */
export interface Strain {
  /** Processor time used per second of the run, warm-up included; 1 is one core busy. */
  readonly cpu: number;
  /**
   * Event loop delay of the generating process: 99th percentile in milliseconds, minus the 1 ms of the sampling timer.
   */
  readonly loopDelayP99Ms: number;
}

const resolutionMs = 1;

/** Starts measuring the load of this process. The returned function stops and returns the result. */
export function watchStrain(): () => Strain {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  return () => {
    delay.disable();
    const used = process.cpuUsage(cpuBefore);
    const elapsedMs = performance.now() - startedAt;
    return {
      cpu: (used.user + used.system) / 1000 / elapsedMs,
      loopDelayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - resolutionMs),
    };
  };
}
