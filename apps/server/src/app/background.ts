import type { Lifetime } from './lifetime.ts';
import type { Service } from './service.ts';

/** Work that runs without a request. */
interface BackgroundWork {
  start(): void | Promise<void>;
  /** Finishes the current work and starts no more. */
  stop(): void | Promise<void>;
}

/**
 * Starts all background work of a service that is built: loops, timers and jobs. They start in this order and stop with
 * the process in the reverse order.
 */
export async function startBackground(lifetime: Lifetime, service: Service): Promise<void> {
  const works: Readonly<Record<string, BackgroundWork | undefined>> = {
    staleness: service.staleness,
    'scheduled change requests': service.schedules,
    'expiry of holds': service.expiries,
    'steps of holds': service.stepDowns,
    'announcements of holds': service.announcements,
    deliveries: service.deliveries,
    actions: service.actions,
    'firing alerts': service.alerts,
    'loop probe': service.loopProbe,
    jobs: service.jobs,
    'disk space': service.diskSpace,
  };
  for (const [name, work] of Object.entries(works)) {
    if (work === undefined) continue;
    lifetime.onStop(name, () => work.stop());
    await work.start();
  }
}
