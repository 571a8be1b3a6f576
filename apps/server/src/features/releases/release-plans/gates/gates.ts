import type { GateName } from '@yardarm/contract';
import { newestRecent, type ReadRecent } from '#features/metrics/impact-metrics/index.ts';
import type { Db } from '#storage/tx.ts';
import { approval } from './approval.ts';
import { evaluations } from './evaluations.ts';
import type { Gate, Look, MilestoneRun } from './gate.ts';
import { hours } from './hours.ts';
import { metric } from './metric.ts';
import { time } from './time.ts';

/** The gates in the order in which they are looked at. Those of the plan's safeguards follow: `safeguardGate`. */
const gates: Readonly<Record<Exclude<GateName, 'safeguard'>, Gate>> = { time, hours, evaluations, metric, approval };

/** A gate, and the result of looking at it. */
export interface LookedAt extends Look {
  readonly gate: GateName;
}

/** Returns the first time from `now` on at which the gates `time` and `hours` are open. */
export function opensAt(run: MilestoneRun, now: number): number {
  return Object.values(gates).reduce((at, gate) => ('opensAt' in gate ? gate.opensAt(run, at) : at), now);
}

/**
 * Looks at the gates of a milestone at `now`. Leaves out the gates `time` and `hours` while they are open. `read` reads
 * metrics: by default their newest known values, to show them.
 */
export async function lookAtGates(
  db: Db,
  run: MilestoneRun,
  now: number,
  read: ReadRecent = newestRecent,
): Promise<LookedAt[]> {
  const looks: LookedAt[] = [];
  let at = now;
  for (const [gate, checks] of Object.entries(gates) as [keyof typeof gates, Gate][]) {
    if ('opensAt' in checks) {
      const opens = checks.opensAt(run, at);
      if (opens > at) looks.push({ gate, isOpen: false, text: checks.describe(run, opens - at) });
      at = opens;
    } else {
      const look = await checks.look(db, run, now, read);
      if (look !== undefined) looks.push({ gate, ...look });
    }
  }
  return looks;
}
