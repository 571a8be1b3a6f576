import { createContext, Script } from 'node:vm';
import { badField, Problem } from '../../kernel/errors.ts';
import { anyName, type FeatureNaming, type Project } from './project.ts';

export interface NamingInput {
  readonly pattern?: string | null | undefined;
  readonly example?: string | null | undefined;
  readonly description?: string | null | undefined;
}

/** A naming as it is kept: a 400 when its pattern is no regular expression, or its example does not match. */
export function checkNaming(input: NamingInput): FeatureNaming {
  const pattern = input.pattern || null;
  if (pattern === null) return anyName;
  const naming = { pattern, example: input.example || null, description: input.description || null };
  try {
    new RegExp(pattern);
  } catch (error) {
    throw badField('featureNaming.pattern', `is not a regular expression (${(error as Error).message})`);
  }
  if (naming.example !== null && !matches(pattern, naming.example))
    throw badField('featureNaming.example', 'does not match the pattern');
  return naming;
}

/** A 400 that tells the pattern, unless flags of the project may be called `name` (unleash-facts 6.2, 8.1). */
export function requireNamed({ naming }: Project, name: string): void {
  const { pattern, example, description } = naming;
  if (pattern === null || matches(pattern, name)) return;
  const message = `The name ${name} does not match the naming pattern of the project: ${pattern}`;
  const told = [
    { message, path: 'name' },
    ...(example === null ? [] : [{ message: `Example: ${example}` }]),
    ...(description === null ? [] : [{ message: `Description: ${description}` }]),
  ];
  throw new Problem('PatternError', message, { details: told });
}

/**
 * Far more than a name of a hundred characters needs, also on a busy machine. Meanwhile everybody else waits, so a pattern
 * that needs more is given up.
 */
const timeoutMs = 250;
const match = new Script('new RegExp(source).test(name)');

/** Whether the whole of `name` matches. Patterns come from people, and some take for ever: those match nothing. */
function matches(pattern: string, name: string): boolean {
  const context = createContext({ source: `^(?:${pattern})$`, name });
  try {
    return match.runInContext(context, { timeout: timeoutMs }) as boolean;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}
