import { plainSummary } from '@yardarm/contract/event-summary';
import { type RunStateName, runStateNames } from '../../entities/actions/action-search.ts';
import type { Incident } from './incident-queries.ts';

/** A line of the timeline of an incident. */
export interface Entry {
  readonly kind: 'signal' | 'run' | 'change';
  readonly id: number;
  readonly at: string;
  readonly title: string;
  /** Who sent the signal or why the run went so; for a change, the sentence of its event. */
  readonly details: string;
  readonly featureName: string | null;
  readonly environment: string | null;
  /** The cause of a change; null for signals and runs. */
  readonly mark: Incident['changes'][number]['mark'] | null;
  /** True for a run that failed, was skipped or waits. */
  readonly isTrouble: boolean;
}

const none = { featureName: null, environment: null, mark: null, isTrouble: false } as const;

const troubled: ReadonlySet<RunStateName> = new Set(['failed', 'skipped', 'waiting']);

/**
 * Returns signals, runs and changes, oldest first. At the same time, signals come before runs, and runs before changes.
 */
export function timelineOf({ signals, runs, changes }: Pick<Incident, 'signals' | 'runs' | 'changes'>): Entry[] {
  const entries: Entry[] = [
    ...signals.map(({ id, at, endpoint, title, state }) => ({
      ...none,
      kind: 'signal' as const,
      id,
      at,
      title: `${title ?? `Signal ${id}`}${state === null ? '' : `: ${state}`}`,
      details: `signal of ${endpoint ?? 'a deleted endpoint'}`,
    })),
    ...(runs ?? []).map(({ id, at, name, state, reason, shadow }) => ({
      ...none,
      isTrouble: troubled.has(state),
      kind: 'run' as const,
      id,
      at,
      title: `${name}: ${runStateNames[state].toLowerCase()}${shadow ? ' in shadow mode' : ''}`,
      details: `run ${id}${reason === null ? '' : `. ${reason}`}`,
    })),
    ...changes.map(({ eventId, at, label, type, summary, reason, featureName, environment, mark }) => ({
      ...{ featureName, environment, mark, isTrouble: false },
      kind: 'change' as const,
      id: eventId,
      at,
      title: label === type ? label.replaceAll('-', ' ') : label,
      details: withReason(plainSummary(summary), reason),
    })),
  ];
  // Sorting is stable: entries of the same time stay in the order of the list above.
  return entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Returns the sentence of an event, with its reason unless it has it already. */
export function withReason(sentence: string, reason: string | null): string {
  return reason === null || sentence.includes(reason) ? sentence : `${sentence}. ${reason}`;
}
