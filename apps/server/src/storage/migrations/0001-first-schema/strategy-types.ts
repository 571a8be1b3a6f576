import type { Dialect } from '../dialect.ts';

type Parameter = readonly [name: string, type: string, description: string, required?: boolean];

const groupId: Parameter = ['groupId', 'string', 'Users fall alike for all flags of one group.'];
const percentage: Parameter = ['percentage', 'percentage', 'Share that gets the flag, 0 to 100.'];
const stickiness = 'What the share is of: default, userId, sessionId, random, or another field of the context.';

/**
 * The built-in strategy types, which every SDK implements (docs/spec#built-in-strategies), in the order of the
 * interface.
 */
const builtIn: readonly (readonly [name: string, shown: string, what: string, deprecated: boolean, Parameter[]])[] = [
  ['default', 'Standard', 'On for everyone.', false, []],
  [
    'flexibleRollout',
    'Gradual rollout',
    'On for a share of users, of sessions or of requests; who has it keeps it while the share grows.',
    false,
    [['rollout', 'percentage', 'Share that gets the flag, 0 to 100.'], ['stickiness', 'string', stickiness], groupId],
  ],
  [
    'remoteAddress',
    'IPs',
    'On for the listed addresses.',
    false,
    [['IPs', 'list', 'Addresses, or ranges such as 10.0.0.0/8.', true]],
  ],
  [
    'applicationHostname',
    'Hosts',
    'On for applications that run on the listed hosts.',
    false,
    [['hostNames', 'list', 'Names of hosts.']],
  ],
  [
    'userWithId',
    'UserIDs',
    'On for the listed users. A constraint on userId does the same.',
    true,
    [['userIds', 'list', 'Ids of users.']],
  ],
  [
    'gradualRolloutUserId',
    'Gradual rollout by user',
    'On for a share of logged-in users. flexibleRollout does the same.',
    true,
    [percentage, groupId],
  ],
  [
    'gradualRolloutSessionId',
    'Gradual rollout by session',
    'On for a share of sessions. flexibleRollout does the same.',
    true,
    [percentage, groupId],
  ],
  [
    'gradualRolloutRandom',
    'Gradual rollout at random',
    'On for a share of requests, whoever makes them. flexibleRollout does the same.',
    true,
    [percentage],
  ],
];

/** Creates strategy types with those that every SDK has. */
export function strategyTypes({ int, text, end }: Dialect): readonly string[] {
  const rows = builtIn.map(([name, shown, what, deprecated, parameters], place) => {
    const list = parameters.map(([parameter, type, description, required = false]) => ({
      name: parameter,
      type,
      description,
      required,
    }));
    return `('${name}', ${place}, null, '${shown}', '${what}', 0, ${Number(deprecated)}, '${JSON.stringify(list)}')`;
  });
  return [
    `create table strategies (
      name ${text} primary key,
      place ${int} not null,
      title ${text},
      display_name ${text},
      description ${text} not null,
      editable ${int} not null,
      deprecated ${int} not null,
      parameters ${text} not null
    ) ${end}`,
    `insert into strategies (name, place, title, display_name, description, editable, deprecated, parameters)
      values ${rows.join(', ')}`,
  ];
}
