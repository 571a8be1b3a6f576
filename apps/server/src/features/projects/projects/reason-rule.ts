import { regexProblem } from '#features/platform/constraints/index.ts';
import { badField } from '#kernel/errors.ts';
import type { ChangeReasonRule } from './project.ts';

/** Returns the rule to store. Rejects with 400 when the pattern is no RE2 regular expression. */
export function checkReasonRule(input: {
  readonly required: boolean;
  readonly pattern?: string | null | undefined;
}): ChangeReasonRule {
  const pattern = input.pattern || null;
  const problem = pattern === null ? undefined : regexProblem(pattern);
  if (problem !== undefined) throw badField('changeReason.pattern', problem);
  return { required: input.required, pattern };
}
