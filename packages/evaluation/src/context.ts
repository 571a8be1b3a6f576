import { EvaluationBudget } from './budget.ts';
import type { Constraint } from './document.ts';

/** For whom a flag is evaluated (docs/spec#evaluation-context). */
export interface EvaluationContext {
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly remoteAddress?: string | undefined;
  readonly environment?: string | undefined;
  readonly appName?: string | undefined;
  /** A date as text. */
  readonly currentTime?: string | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}

/** What evaluation does not take from anywhere by itself. */
export interface Circumstances {
  /** Milliseconds since 1970; what a context without `currentTime` means. */
  readonly now: number;
  /** At least 0 and less than 1, like `Math.random`. */
  readonly random: () => number;
  /** Of this machine, for the strategy `applicationHostname`. */
  readonly hostname?: string | undefined;
  /** What all evaluations with the context may take together; the usual budget of its own when absent. */
  readonly budget?: EvaluationBudget | undefined;
}

/** A context made ready once for all flags. */
export interface ReadyContext {
  /** Each field as text; the context's own come before properties of the same name. */
  readonly values: ReadonlyMap<string, string>;
  /** Its own fields that strategies read without looking among the properties. */
  readonly userId: string | undefined;
  readonly sessionId: string | undefined;
  readonly remoteAddress: string | undefined;
  /** In milliseconds since 1970; NaN when `currentTime` is no date. */
  readonly time: number;
  readonly random: () => number;
  /** In lower case. */
  readonly hostname: string;
  readonly budget: EvaluationBudget;
  /** Filled with what became of each search, where evaluations are explained. */
  readonly searched?: Map<Constraint, SearchResult> | undefined;
}

/** What became of a search: whether its constraint passes, or that it was not made. */
export type SearchResult = boolean | 'over budget';

const ownFields = ['userId', 'sessionId', 'remoteAddress', 'environment', 'appName', 'currentTime'] as const;

/** Makes a context ready. What is null or undefined counts as absent; everything else counts as its text. */
export function readyContext(
  context: EvaluationContext,
  { now, random, hostname, budget = new EvaluationBudget() }: Circumstances,
): ReadyContext {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(context.properties ?? {})) {
    if (value !== null && value !== undefined) values.set(name, String(value));
  }
  for (const name of ownFields) {
    const value: unknown = context[name];
    if (value !== null && value !== undefined) values.set(name, String(value));
  }
  const own = (name: (typeof ownFields)[number]) => (context[name] == null ? undefined : values.get(name));
  const { currentTime } = context;
  return {
    values,
    userId: own('userId'),
    sessionId: own('sessionId'),
    remoteAddress: own('remoteAddress'),
    time: currentTime ? Date.parse(currentTime) : now,
    random,
    hostname: (hostname ?? '').toLowerCase(),
    budget,
  };
}
