/** A strategy that flags can use: what every SDK knows by its name (unleash-facts 9.4). */
export interface StrategyDefinition {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly deprecated: boolean;
  readonly parameters: readonly StrategyParameter[];
}

interface StrategyParameter {
  readonly name: string;
  readonly type: 'string' | 'percentage' | 'list';
  readonly description: string;
  readonly required: boolean;
}

const groupId: StrategyParameter = {
  name: 'groupId',
  type: 'string',
  description: 'Users fall alike for all flags of one group.',
  required: false,
};
const percentage: StrategyParameter = {
  name: 'percentage',
  type: 'percentage',
  description: 'Share that gets the flag, 0 to 100.',
  required: false,
};

/** The strategies there are, in the order in which they are offered. */
export const strategyDefinitions: readonly StrategyDefinition[] = [
  {
    name: 'default',
    displayName: 'Standard',
    description: 'On for everyone.',
    deprecated: false,
    parameters: [],
  },
  {
    name: 'flexibleRollout',
    displayName: 'Gradual rollout',
    description: 'On for a share of users, of sessions or of requests; who has it keeps it while the share grows.',
    deprecated: false,
    parameters: [
      { name: 'rollout', type: 'percentage', description: 'Share that gets the flag, 0 to 100.', required: false },
      {
        name: 'stickiness',
        type: 'string',
        description: 'What the share is of: default, userId, sessionId, random, or another field of the context.',
        required: false,
      },
      groupId,
    ],
  },
  {
    name: 'remoteAddress',
    displayName: 'IPs',
    description: 'On for the listed addresses.',
    deprecated: false,
    parameters: [
      { name: 'IPs', type: 'list', description: 'Addresses, or ranges such as 10.0.0.0/8.', required: true },
    ],
  },
  {
    name: 'applicationHostname',
    displayName: 'Hosts',
    description: 'On for applications that run on the listed hosts.',
    deprecated: false,
    parameters: [{ name: 'hostNames', type: 'list', description: 'Names of hosts.', required: false }],
  },
  {
    name: 'userWithId',
    displayName: 'UserIDs',
    description: 'On for the listed users. A constraint on userId does the same.',
    deprecated: true,
    parameters: [{ name: 'userIds', type: 'list', description: 'Ids of users.', required: false }],
  },
  {
    name: 'gradualRolloutUserId',
    displayName: 'Gradual rollout by user',
    description: 'On for a share of logged-in users. flexibleRollout does the same.',
    deprecated: true,
    parameters: [percentage, groupId],
  },
  {
    name: 'gradualRolloutSessionId',
    displayName: 'Gradual rollout by session',
    description: 'On for a share of sessions. flexibleRollout does the same.',
    deprecated: true,
    parameters: [percentage, groupId],
  },
  {
    name: 'gradualRolloutRandom',
    displayName: 'Gradual rollout at random',
    description: 'On for a share of requests, whoever makes them. flexibleRollout does the same.',
    deprecated: true,
    parameters: [percentage],
  },
];

/** The strategy of that name, if there is one. */
export function strategyNamed(name: string): StrategyDefinition | undefined {
  return strategyDefinitions.find((one) => one.name === name);
}
