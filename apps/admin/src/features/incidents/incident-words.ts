import { effectOf } from '../../entities/holds/hold-words.ts';
import { counted } from '../../ui/counted.ts';
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

/**
 * Says what an incident did to a flag: "off for users 3 min 40 s; 507 of 1000 contexts seen moved; 2 holds by 2
 * alerts". Says nothing of contexts when none was known.
 */
export function perFlagWords({
  offMs,
  isOff,
  holds,
  signals,
  alerts,
  moved,
}: Omit<FlagState, 'featureName' | 'environment'>): string {
  const off = offMs === 0 && !isOff ? [] : [`off for users ${durationOf(offMs)}${isOff ? ' so far' : ''}`];
  const users = moved === null ? [] : [`${moved.moved} of ${counted(moved.contexts, 'context')} seen moved`];
  const held = holds > 0 ? counted(holds, 'hold') : '';
  const causes = alerts > 0 ? [`${held} by ${counted(alerts, 'alert')}`.trim()] : [held, signalsOf(signals)];
  const parts = [...off, ...users, ...causes].filter((part) => part !== '');
  return parts.length === 0 ? 'changed' : parts.join('; ');
}

function signalsOf(signals: number): string {
  return signals > 0 ? counted(signals, 'signal') : '';
}

/** Explains the contexts that {@link perFlagWords} counts, or why it counts none. */
export function movedHint({ moved }: Pick<FlagState, 'moved'>): string {
  return moved === null
    ? 'How many users moved is not known: no client had sent a context to the frontend API or OFREP in the 24 hours before. Server SDKs evaluate by themselves and send none.'
    : 'Contexts that clients sent to the frontend API and OFREP in the 24 hours before, at most 1,000, and how many of them got another answer because of the incident.';
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
