import type { Lifetime } from './lifetime.ts';
import type { Service } from './service.ts';

/** Work that runs without a request. */
interface BackgroundWork {
  start(): void | Promise<void>;
  /** Finishes the current work and starts no more. */
  stop(): void | Promise<void>;
}

/** The parts of a service that can be started. */
type BackgroundPart = {
  [Part in keyof Service]-?: NonNullable<Service[Part]> extends BackgroundWork ? Part : never;
}[keyof Service];

/** The names of the background work, in the order of its start. A new part that can be started must be here. */
const works: Readonly<Record<BackgroundPart, string>> = {
  staleness: 'staleness',
  schedules: 'scheduled change requests',
  expiries: 'expiry of holds',
  stepDowns: 'steps of holds',
  announcements: 'announcements of holds',
  deliveries: 'deliveries',
  actions: 'actions',
  alerts: 'firing alerts',
  loopProbe: 'loop probe',
  jobs: 'jobs',
  diskSpace: 'disk space',
};

/**
 * Starts all background work of a service that is built: loops, timers and jobs. They start in this order and stop with
 * the process in the reverse order.
 */
export async function startBackground(lifetime: Lifetime, service: Service): Promise<void> {
  for (const [part, name] of Object.entries(works) as [BackgroundPart, string][]) {
    const work: BackgroundWork | undefined = service[part];
    if (work === undefined) continue;
    lifetime.onStop(name, () => work.stop());
    await work.start();
  }
}
