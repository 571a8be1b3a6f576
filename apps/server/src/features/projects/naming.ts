import { createContext, Script } from 'node:vm';
import { badField, Problem } from '../../kernel/errors.ts';
import { anyName, type FeatureNaming, type Project } from './project.ts';

export interface NamingInput {
  readonly pattern?: string | null | undefined;
  readonly example?: string | null | undefined;
  readonly description?: string | null | undefined;
}

/** A naming as it is kept: a 400 when its pattern is no regular expression or takes too long, or its example does not match. */
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
  const answer = matching(pattern, naming.example);
  if (answer === 'too long') throw badField('featureNaming.pattern', 'takes too long to match a name');
  if (answer === 'no') throw badField('featureNaming.example', 'does not match the pattern');
  return naming;
}

/**
 * A 400 that tells the pattern, unless flags of the project may be called `name` (docs/spec#flag-names). A pattern that
 * took too long takes no name for a minute, unless it is changed.
 */
export function requireNamed({ naming }: Project, name: string): void {
  const { pattern, example, description } = naming;
  const answer = pattern === null ? 'yes' : matching(pattern, name);
  if (answer === 'yes') return;
  const message =
    answer === 'no'
      ? `The name ${name} does not match the naming pattern of the project: ${pattern}`
      : `The naming pattern of the project takes too long, so it takes no name: ${pattern}`;
  const told = [
    { message, path: 'name' },
    ...(example === null ? [] : [{ message: `Example: ${example}` }]),
    ...(description === null ? [] : [{ message: `Description: ${description}` }]),
  ];
  throw new Problem('PatternError', message, { details: told });
}

/**
 * Far more than all names of a project need in a minute, also on a busy machine. Meanwhile everybody else waits, so a pattern that
 * has taken that much is given up for the rest of it: else each name of a long plan would take it again.
 */
const budgetMs = 250;
const periodMs = 60_000;
/** A name takes microseconds; what a busy machine adds to them is not the pattern's fault. */
const freeMs = 5;
/** Of how many patterns it is remembered what they took; the first one is forgotten then. */
const maxRemembered = 100;
const spending = new Map<string, { readonly since: number; readonly ms: number }>();

const match = new Script('new RegExp(source).test(name)');
const context = createContext({ source: '', name: '' });

/**
 * Whether the whole of `name` matches, or that the pattern takes too long: patterns come from people, and some take for ever.
 * All names together can hold up the server with one pattern for about {@link budgetMs} in {@link periodMs}.
 */
function matching(pattern: string, name: string): 'yes' | 'no' | 'too long' {
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
    // A timeout may come a moment early.
    if (took > freeMs) remember(pattern, { since, ms: spent + Math.ceil(took) });
  }
}

function remember(pattern: string, spent: { readonly since: number; readonly ms: number }): void {
  spending.set(pattern, spent);
  const [first] = spending.keys();
  if (spending.size > maxRemembered && first !== undefined) spending.delete(first);
}
