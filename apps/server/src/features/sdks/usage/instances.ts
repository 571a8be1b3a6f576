import type { TokenScope } from '#features/people/token-scopes/index.ts';

/** A running SDK, as it reported itself. */
export interface Instance {
  /** The scope of its token. Instances of two scopes are different, also with the same names. */
  readonly scope: TokenScope;
  readonly appName: string;
  /** Null when only its application is known. */
  readonly instanceId: string | null;
  readonly environment: string;
  readonly sdkVersion: string | null;
  /** Start time in milliseconds UTC; null when the SDK did not report it, or not as a valid time. */
  readonly startedAt: number | null;
  /** Names of the strategies that the SDK supports; null when it did not report them. */
  readonly strategies: readonly string[] | null;
  /** Time of the last report in milliseconds UTC. */
  readonly seenAt: number;
  readonly sdkType: 'backend' | 'frontend';
  /** The address that the report came from; null when a proxy reported. */
  readonly address: string | null;
}

/** A write-behind buffer of at most `max` instances. Further instances are dropped; they report again later. */
export class InstanceBuffer {
  readonly #max: number;
  #instances = new Map<string, Instance>();
  #dropped = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Merges a report into the buffered instance: newer values win, and missing values keep the known ones. */
  add(instance: Instance): void {
    const key = instanceKey(instance);
    const known = this.#instances.get(key);
    if (known === undefined && this.#instances.size >= this.#max) this.#dropped++;
    else this.#instances.set(key, known === undefined ? instance : merge(known, instance));
  }

  /** Returns the buffered instances and empties the buffer; `dropped` is the number of instances that did not fit. */
  take(): { instances: Instance[]; dropped: number } {
    const taken = { instances: [...this.#instances.values()], dropped: this.#dropped };
    this.#instances = new Map();
    this.#dropped = 0;
    return taken;
  }
}

/** Returns a text that identifies an instance. */
export function instanceKey({ appName, instanceId, environment, scope }: Instance): string {
  return JSON.stringify([appName, instanceId, environment, scope.id]);
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
