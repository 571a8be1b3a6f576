import { Problem } from '#kernel/errors.ts';

/** A reason why desired state cannot be applied, with the path of the field that is wrong. */
export interface Fault {
  /** Keys from the flag inwards, such as `environments.production.strategies.0.segments.1`. */
  readonly path: string;
  readonly message: string;
  /** Set when the fault is that a segment does not exist: the name of the segment. */
  readonly missingSegment?: string;
}

/** Runs `check`. Turns a Problem that it throws into a fault below `path` and then returns undefined. */
export function collectFaults<T>(faults: Fault[], path: string, check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    addFault(faults, path, error);
    return undefined;
  }
}

/** Turns a Problem that was thrown into a fault below `path`. Throws any other error again. */
export function addFault(faults: Fault[], path: string, error: unknown): void {
  if (!(error instanceof Problem)) throw error;
  const inner = error.details?.[0]?.path;
  const detail = error.details?.[0]?.message ?? error.message;
  const message = inner !== undefined && detail.startsWith(`${inner} `) ? detail.slice(inner.length + 1) : detail;
  const full = inner === undefined ? path : path === '' ? inner : `${path}.${inner}`;
  faults.push({ path: full, message });
}
