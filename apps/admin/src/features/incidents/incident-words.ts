import { effectOf } from '../now/hold-words.ts';
import type { Incident, ListedIncident } from './incident-queries.ts';

/** Returns how long an incident lasted, from its first to its last change: "2 h 5 min", "under a minute". */
export function lengthOf({ startedAt, lastAt }: Pick<ListedIncident, 'startedAt' | 'lastAt'>): string {
  const minutes = Math.floor((Date.parse(lastAt) - Date.parse(startedAt)) / 60_000);
  if (minutes < 1) return 'under a minute';
  const hours = Math.floor(minutes / 60);
  const parts = [...(hours > 0 ? [`${hours} h`] : []), ...(minutes % 60 > 0 ? [`${minutes % 60} min`] : [])];
  return parts.join(' ');
}

type Hold = Incident['holds'][number];

/** Describes the effect of a hold and who placed it: "held off in production, by Search". */
export function holdWords({ environment, placedBy, ...hold }: Hold): string {
  return `held ${effectOf(hold)} in ${environment}, by ${placedBy}`;
}
