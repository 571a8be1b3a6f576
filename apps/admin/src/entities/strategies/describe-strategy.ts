import { type ConstraintRead, describeConstraint, someOf } from '../constraints/describe-constraint.ts';

/** The part of a strategy that its description needs. */
export interface StrategyRead {
  readonly name: string;
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly constraints?: readonly ConstraintRead[] | undefined;
  /** Names of the segments. */
  readonly segments?: readonly string[] | undefined;
}

/** Returns the values of a list parameter, which are separated by commas or line breaks. */
export function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(/[,\n]/)
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

const known: Readonly<Record<string, (parameters: Readonly<Record<string, string>>) => string>> = {
  default: () => 'Everyone',
  flexibleRollout: ({ rollout = '100', stickiness = 'default' }) => rolledOut(rollout, stickiness),
  userWithId: ({ userIds }) => `Users ${listed(userIds)}`,
  remoteAddress: ({ IPs }) => `Users at the addresses ${listed(IPs)}`,
  applicationHostname: ({ hostNames }) => `Applications on the hosts ${listed(hostNames)}`,
  gradualRolloutUserId: ({ percentage = '0' }) => rolledOut(percentage, 'userId'),
  gradualRolloutSessionId: ({ percentage = '0' }) => rolledOut(percentage, 'sessionId'),
  gradualRolloutRandom: ({ percentage = '0' }) => rolledOut(percentage, 'random'),
};

/** Describes a strategy in a sentence: "50 % of users by userId, where country is one of NL, BE". */
export function describeStrategy({ name, parameters = {}, constraints = [], segments = [] }: StrategyRead): string {
  const users = known[name]?.(parameters) ?? custom(parameters);
  const conditions = constraints.map(describeConstraint).join(' and ');
  const inSegments =
    segments.length === 0
      ? ''
      : `${segments.length === 1 ? 'in the segment' : 'in the segments'} ${segments.join(' and ')}`;
  return [users, inSegments, conditions === '' ? '' : `where ${conditions}`].filter((part) => part !== '').join(', ');
}

function rolledOut(share: string, stickiness: string): string {
  if (Number(share) >= 100) return 'Everyone';
  if (Number(share) <= 0) return 'No users';
  const of: Readonly<Record<string, string>> = {
    default: 'users',
    userId: 'users by userId',
    sessionId: 'sessions by sessionId',
    random: 'requests at random',
  };
  return `${share} % of ${of[stickiness] ?? `users by ${stickiness}`}`;
}

function listed(text: string | undefined): string {
  return someOf(listOf(text)) || '(none yet)';
}

/** Describes a custom strategy by its parameters. */
function custom(parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return given.length === 0
    ? 'As the SDK decides'
    : `As the SDK decides by ${given.map(([name, value]) => `${name} ${value}`).join(', ')}`;
}
