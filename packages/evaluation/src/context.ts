import { EvaluationBudget } from './budget.ts';
import type { Constraint } from './document.ts';
import { readTime } from './values.ts';

/** An evaluation context (docs/spec#evaluation-context). */
export interface EvaluationContext {
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly remoteAddress?: string | undefined;
  readonly environment?: string | undefined;
  readonly appName?: string | undefined;
  /** A date as text, by ISO 8601 or RFC 9110; without a zone it is UTC. */
  readonly currentTime?: string | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The inputs of an evaluation beside flags and context. They are passed in, so that evaluation has no hidden inputs.
 */
export interface Circumstances {
  /** The current time in milliseconds since 1970, for a context without `currentTime`. */
  readonly now: number;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive), like `Math.random`. */
  readonly random: () => number;
  /** The name of this host, for the strategy `applicationHostname`. */
  readonly hostname?: string | undefined;
  /** The budget of all evaluations with the context; default: a new budget with the usual limits. */
  readonly budget?: EvaluationBudget | undefined;
}

/** A context prepared once for the evaluation of all flags. */
export interface ReadyContext {
  /** All fields as text. Standard fields take precedence over properties of the same name. */
  readonly values: ReadonlyMap<string, string>;
  /** Standard fields that strategies read, without properties of the same name. */
  readonly userId: string | undefined;
  readonly sessionId: string | undefined;
  readonly remoteAddress: string | undefined;
  /** The time in milliseconds since 1970; NaN when `currentTime` is invalid. */
  readonly time: number;
  readonly random: () => number;
  /** The name of the host in lower case. */
  readonly hostname: string;
  readonly budget: EvaluationBudget;
  /** Collects the result of each search when evaluations are explained. */
  readonly searched?: Map<Constraint, SearchResult> | undefined;
}

/** The result of a search, or `over budget` when it was skipped. */
export type SearchResult = boolean | 'over budget';

const ownFields = ['userId', 'sessionId', 'remoteAddress', 'environment', 'appName', 'currentTime'] as const;

/** Prepares a context. Null and undefined count as absent; other values are converted to text. */
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
    time: currentTime ? readTime(currentTime) : now,
    random,
    hostname: (hostname ?? '').toLowerCase(),
    budget,
  };
}
