import { isOperator, operators } from '@yardarm/evaluation/operators';
import { dateProblem, ipv6Networks, numberProblem, percentageProblem } from '@yardarm/evaluation/values';
import type { ConstraintRead } from '../../entities/constraints/describe-constraint.ts';
import { fitProblem } from '../../entities/constraints/operators.ts';

/** The parameter with the percentage, by strategy name. */
const percentages: Readonly<Record<string, string>> = {
  flexibleRollout: 'rollout',
  gradualRolloutUserId: 'percentage',
  gradualRolloutSessionId: 'percentage',
  gradualRolloutRandom: 'percentage',
};

interface Noted {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly constraints: readonly ConstraintRead[];
}

/** Returns what SDKs read differently of a strategy, in sentences. */
export function valueNotes({ name, parameters, constraints }: Noted): readonly string[] {
  const percentage = parameters[percentages[name] ?? ''];
  const networks = name === 'remoteAddress' ? ipv6Networks(parameters['IPs']) : [];
  const isOdd = percentage !== undefined && percentageProblem(percentage) !== undefined;
  return [
    ...(isOdd ? [`SDKs of some languages read ${percentage} % as off for everyone. Save a whole percentage.`] : []),
    ...networks.map((network) => `${network}: the SDK for Node finds no address in a network of IPv6.`),
    ...constraints.flatMap((constraint) => constraintNote(constraint) ?? []),
  ];
}

/** Returns why SDKs do not agree about a constraint of an earlier version; undefined when they do. */
function constraintNote({ contextName, operator, value = '', looseNumber }: ConstraintRead): string | undefined {
  if (!isOperator(operator)) return undefined;
  const misfit = fitProblem(contextName, operator);
  if (misfit !== undefined) return `${contextName}: ${misfit}`;
  const { kind } = operators[operator];
  if (kind === 'date' && dateProblem(value) !== undefined)
    return `SDKs read the date ${value} differently. Choose it again, with a time zone.`;
  if (kind === 'number' && numberProblem(value) !== undefined) return `SDKs read the number ${value} differently.`;
  if (looseNumber === true) return `${contextName}: blank text counts as 0 here, and as no number in newer SDKs.`;
  return undefined;
}
