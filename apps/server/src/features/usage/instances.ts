/** A running SDK, as it told of itself. */
export interface Instance {
  readonly appName: string;
  /** null when only its application is known. */
  readonly instanceId: string | null;
  readonly environment: string;
  readonly sdkVersion: string | null;
  /** When it started, milliseconds UTC; null when it has not said so, or not in a form that is a time. */
  readonly startedAt: number | null;
  /** Strategies it knows; null when it has not said so. */
  readonly strategies: readonly string[] | null;
  /** When it was last heard of, milliseconds UTC. */
  readonly seenAt: number;
  /** Where it runs: on a server, or with its users. */
  readonly sdkType: 'backend' | 'frontend';
  /** Address it reported from; null when somebody else reported for it. */
  readonly address: string | null;
}

/** Instances that wait to be written: at most `max`; more are left out until there is room, for they report again. */
export class InstanceBuffer {
  readonly #max: number;
  #instances = new Map<string, Instance>();
  #leftOut = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Adds what is told of an instance to what is known; what is newer wins, but saying nothing takes nothing back. */
  add(instance: Instance): void {
    const key = instanceKey(instance);
    const known = this.#instances.get(key);
    if (known === undefined && this.#instances.size >= this.#max) this.#leftOut++;
    else this.#instances.set(key, known === undefined ? instance : merge(known, instance));
  }

  /** Hands out what waits and begins anew; `leftOut` is how many did not fit. */
  take(): { instances: Instance[]; leftOut: number } {
    const taken = { instances: [...this.#instances.values()], leftOut: this.#leftOut };
    this.#instances = new Map();
    this.#leftOut = 0;
    return taken;
  }
}

/** Tells one instance from all others. */
export function instanceKey({ appName, instanceId, environment }: Instance): string {
  return JSON.stringify([appName, instanceId, environment]);
}

function merge(a: Instance, b: Instance): Instance {
  const [older, newer] = a.seenAt <= b.seenAt ? [a, b] : [b, a];
  return {
    ...newer,
    sdkVersion: newer.sdkVersion ?? older.sdkVersion,
    startedAt: newer.startedAt ?? older.startedAt,
    strategies: newer.strategies ?? older.strategies,
    address: newer.address ?? older.address,
  };
}
