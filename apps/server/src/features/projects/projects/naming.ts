import { createContext, Script } from 'node:vm';
import { BoundedMap } from '#kernel/bounded-map.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { anyName, type FeatureNaming, type Project } from './project.ts';

export interface NamingInput {
  readonly pattern?: string | null | undefined;
  readonly example?: string | null | undefined;
  readonly description?: string | null | undefined;
}

/**
 * Returns the naming to store. Rejects with 400 for an invalid or too slow pattern, or an example that does not match.
 */
export function checkNaming(input: NamingInput): FeatureNaming {
  const pattern = input.pattern || null;
  if (pattern === null) return anyName;
  const naming = { pattern, example: input.example || null, description: input.description || null };
  try {
    new RegExp(pattern);
  } catch (error) {
    throw badField('featureNaming.pattern', `is not a regular expression (${(error as Error).message})`);
  }
  if (naming.example === null) return naming;
  const answer = matchPattern(pattern, naming.example);
  if (answer === 'too long') throw badField('featureNaming.pattern', 'takes too long to match a name');
  if (answer === 'no') throw badField('featureNaming.example', 'does not match the pattern');
  return naming;
}

/**
 * Rejects with 400, showing the pattern, unless `name` matches the naming pattern of the project
 * (docs/spec#flag-names). A pattern that exceeded its time budget rejects every name for a minute, unless it is
 * changed.
 */
export function requireNamed({ naming }: Project, name: string): void {
  const { pattern, example, description } = naming;
  const answer = pattern === null ? 'yes' : matchPattern(pattern, name);
  if (answer === 'yes') return;
  const message =
    answer === 'no'
      ? `The name ${name} does not match the naming pattern of the project: ${pattern}`
      : `The naming pattern of the project takes too long to evaluate, so no name can be checked: ${pattern}. Simplify it.`;
  const details = [
    { message, path: 'name' },
    ...(example === null ? [] : [{ message: `Example: ${example}` }]),
    ...(description === null ? [] : [{ message: `Description: ${description}` }]),
  ];
  throw new Problem('PatternError', message, { details });
}

/**
 * Time budget of a pattern per period, far more than a good pattern needs. Matching blocks the event loop, so a pattern
 * that used up its budget is not evaluated again in the period: a long plan would block once for each name.
 */
const budgetMs = 250;
const periodMs = 60_000;
/** Shorter matches are not charged: a good pattern takes microseconds, the rest is load of the machine. */
const freeMs = 5;
/** The time that patterns spent last. */
const spending = new BoundedMap<string, { readonly since: number; readonly ms: number }>(100);

const match = new Script('new RegExp(source).test(name)');
const context = createContext({ source: '', name: '' });

/**
 * Matches the whole of `name` with a timeout, because patterns of users can backtrack forever. One pattern can block
 * the server for about {@link budgetMs} in {@link periodMs}.
 */
function matchPattern(pattern: string, name: string): 'yes' | 'no' | 'too long' {
  const started = performance.now();
  const before = spending.get(pattern);
  const { since, ms: spent } =
    before !== undefined && started - before.since < periodMs ? before : { since: started, ms: 0 };
  if (spent >= budgetMs) return 'too long';
  try {
    Object.assign(context, { source: `^(?:${pattern})$`, name });
    return match.runInContext(context, { timeout: Math.ceil(budgetMs - spent) }) ? 'yes' : 'no';
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return 'too long';
  } finally {
    const took = performance.now() - started;
    // Math.ceil because the timeout may fire slightly early.
    if (took > freeMs) spending.set(pattern, { since, ms: spent + Math.ceil(took) });
  }
}
