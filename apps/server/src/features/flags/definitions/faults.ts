import { Problem } from '../../../kernel/errors.ts';

/** Something that keeps wanted state from becoming real, and where it was asked for. */
export interface Fault {
  /** Keys from the flag inwards, such as `environments.production.strategies.0.segments.1`. */
  readonly path: string;
  readonly message: string;
  /** The name of a segment that does not exist, where that is the fault. */
  readonly missingSegment?: string;
}

/** Runs `check`; what it refuses is noted, below `path`, instead of thrown. Undefined when it refused. */
export function collectFaults<T>(faults: Fault[], path: string, check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const inner = error.details?.[0]?.path;
    const told = error.details?.[0]?.message ?? error.message;
    const message = inner !== undefined && told.startsWith(`${inner} `) ? told.slice(inner.length + 1) : told;
    const full = inner === undefined ? path : path === '' ? inner : `${path}.${inner}`;
    faults.push({ path: full, message });
    return undefined;
  }
}
