import { counted } from '../../ui/counted.ts';
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

type FlagState = Incident['perFlag'][number];

/** Says what an incident did to a flag: "off for users 3 min 40 s; 2 holds; 1 signal". */
export function perFlagWords({ offMs, isOff, holds, signals }: Omit<FlagState, 'featureName' | 'environment'>): string {
  const off = offMs === 0 && !isOff ? [] : [`off for users ${durationOf(offMs)}${isOff ? ' so far' : ''}`];
  const counts = [...(holds > 0 ? [counted(holds, 'hold')] : []), ...(signals > 0 ? [counted(signals, 'signal')] : [])];
  const parts = [...off, ...counts];
  return parts.length === 0 ? 'changed' : parts.join('; ');
}

/** Returns a duration to the second: "1 h 3 min 40 s". */
function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const named = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return named.length === 0 ? '0 s' : named.join(' ');
}

/** The names of the marks of changes. */
export const markNames = { action: 'Action', plan: 'Plan or safeguard', person: 'Person' } as const;
