import { formatRelative } from '../../ui/dates.ts';
import type { Connection, Connections } from './connection-queries.ts';

/** The maximum number of reporting applications that are shown. */
const mostReporting = 3;

/** The furthest step that any application has reached in an environment, as the server has seen it. */
export type ConnectionState =
  | { readonly step: 'waiting' }
  /** A token of the environment was used, by a client that does not name its application. */
  | { readonly step: 'token used'; readonly at: string }
  /** Applications report, and none has evaluated the flag. Newest first, at most {@link mostReporting}. */
  | { readonly step: 'reporting'; readonly applications: readonly Connection[] }
  | { readonly step: 'evaluated'; readonly application: Connection; readonly at: string };

const minuteMs = 60_000;
/** The server stores the time of an evaluation at most once in ten minutes. */
const precisionMs = 10 * minuteMs;

/** Returns how long ago an application last evaluated a flag, as precisely as it is known. */
export function formatEvaluated(at: number, now: number): string {
  const age = now - at;
  return age > minuteMs && age <= precisionMs + minuteMs ? 'in the last 10 minutes' : formatRelative(at, now);
}

/** Returns the furthest step that any application has reached in an environment. */
export function connectionState({ applications, tokens }: Connections, environment: string): ConnectionState {
  const here = applications.filter((application) => application.environment === environment);
  const evaluated = here.find(({ evaluatedAt }) => evaluatedAt !== null);
  if (evaluated !== undefined && evaluated.evaluatedAt !== null)
    return { step: 'evaluated', application: evaluated, at: evaluated.evaluatedAt };
  if (here.length > 0) return { step: 'reporting', applications: here.slice(0, mostReporting) };
  const uses = tokens.filter((token) => token.environment === environment).map(({ seenAt }) => seenAt);
  const last = uses.toSorted().at(-1);
  return last === undefined ? { step: 'waiting' } : { step: 'token used', at: last };
}

/** Returns an SDK version for display: `unleash-client-node 6.12.1` for `unleash-client-node:6.12.1`. */
export function sdkName(sdkVersion: string): string {
  const end = sdkVersion.indexOf(':');
  return end < 0 ? sdkVersion : `${sdkVersion.slice(0, end)} ${sdkVersion.slice(end + 1)}`;
}
