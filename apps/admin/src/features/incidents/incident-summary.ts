import { runStateNames } from '../../entities/actions/action-search.ts';
import { counted } from '../../ui/counted.ts';
import type { Incident } from './incident-queries.ts';

/**
 * Returns the numbers of an incident as lines: "60 signals: 57 firing, 3 resolved". A truncated incident has only its
 * first changes, signals and runs, so each line begins with "At least": "At least 1000 signals".
 */
export function summaryOf({
  signals,
  runs,
  holds,
  changes,
  truncated,
}: Pick<Incident, 'signals' | 'runs' | 'holds' | 'changes' | 'truncated'>): string[] {
  const held = new Set(holds.map(({ featureName }) => featureName)).size;
  const open = holds.filter(({ end }) => end === null).length;
  const marked = (mark: Incident['changes'][number]['mark']) => changes.filter((change) => change.mark === mark).length;
  const runStates = (runs ?? []).map(({ state }) => runStateNames[state].toLowerCase());
  const lines = [
    `${counted(signals.length, 'signal')}${parts(signals.flatMap(({ state }) => state ?? []))}`,
    ...(runs === null ? [] : [`${counted(runs.length, 'run')}${parts(runStates)}`]),
    ...(holds.length === 0
      ? []
      : [`${counted(holds.length, 'hold')} of ${counted(held, 'flag')}: ${open} open, ${holds.length - open} ended`]),
    `${counted(changes.length, 'change')}: ${marked('action')} by actions, ${marked('plan')} by plans and safeguards, ${marked('person')} by people`,
  ];
  return truncated ? lines.map((line) => `At least ${line}`) : lines;
}

/** Returns how often each word occurs, the most frequent first: ": 57 firing, 3 resolved". */
function parts(words: readonly string[]): string {
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, { length }]) => ({ word, length }));
  const texts = counts.toSorted((a, b) => b.length - a.length).map(({ word, length }) => `${length} ${word}`);
  return texts.length === 0 ? '' : `: ${texts.join(', ')}`;
}
