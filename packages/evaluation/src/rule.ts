import type { Test } from './constraint.ts';
import type { ReadyContext } from './context.ts';
import type { Strategy } from './document.ts';
import { rolloutBucket } from './hash-buckets.ts';
import { isInside, type Network, parseAddress, parseNetwork } from './ip-address.ts';

/** Compiles the rule of a strategy from its parameters. */
type Rule = (parameters: Readonly<Record<string, string>>, flagName: string) => Test;

/**
 * Returns the test for the rule of a strategy, without its constraints; undefined for a strategy type that is not built
 * in (docs/spec#built-in-strategies).
 */
export function compileRule({ name, parameters }: Strategy, flagName: string): Test | undefined {
  return rules.get(name)?.(parameters ?? {}, flagName);
}

const always: Test = () => true;
const never: Test = () => false;

function flexibleRollout({ rollout, stickiness, groupId }: Readonly<Record<string, string>>, flagName: string): Test {
  const percentage = Number(rollout);
  const idOf = stickyId(stickiness || 'default');
  const placeOf = rolloutBucket(groupId || flagName);
  return (context) => {
    const id = idOf(context);
    return id !== undefined && id !== '' && percentage > 0 && placeOf(id) <= percentage;
  };
}

/** Returns a function that returns the value to hash for a stickiness, or undefined when the context has no value. */
function stickyId(stickiness: string): (context: ReadyContext) => string | undefined {
  if (stickiness === 'random') return randomId;
  if (stickiness === 'default') return (context) => context.userId || context.sessionId || randomId(context);
  return ({ values }) => values.get(stickiness);
}

function randomId({ random }: ReadyContext): string {
  return String(Math.round(random() * 10_000) + 1);
}

function gradualRollout(field: 'userId' | 'sessionId'): Rule {
  return ({ percentage: text, groupId = '' }) => {
    const percentage = Number(text);
    const placeOf = rolloutBucket(groupId);
    return (context) => {
      const id = context[field];
      return id !== undefined && id !== '' && percentage > 0 && placeOf(id) <= percentage;
    };
  };
}

function gradualRolloutRandom({ percentage: text }: Readonly<Record<string, string>>): Test {
  const percentage = Number(text);
  return ({ random }) => percentage >= Math.floor(random() * 100) + 1;
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function userWithId({ userIds }: Readonly<Record<string, string>>): Test {
  const ids = new Set(listOf(userIds));
  return ({ userId }) => userId !== undefined && ids.has(userId);
}

/** Compares addresses and networks, IPv4 and IPv6; any other text is compared for equality. */
function remoteAddress({ IPs }: Readonly<Record<string, string>>): Test {
  const texts = new Set(listOf(IPs));
  const networks = [...texts].flatMap((text): Network[] => {
    const network = parseNetwork(text);
    return network === undefined ? [] : [network];
  });
  return ({ remoteAddress: text }) => {
    if (text === undefined) return false;
    if (texts.has(text)) return true;
    const address = networks.length > 0 ? parseAddress(text) : undefined;
    return address !== undefined && networks.some((network) => isInside(address, network));
  };
}

function applicationHostname({ hostNames }: Readonly<Record<string, string>>): Test {
  const names = new Set(listOf(hostNames?.toLowerCase()));
  return names.size === 0 ? never : ({ hostname }) => names.has(hostname);
}

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['default', () => always],
  ['flexibleRollout', flexibleRollout],
  ['userWithId', userWithId],
  ['gradualRolloutUserId', gradualRollout('userId')],
  ['gradualRolloutSessionId', gradualRollout('sessionId')],
  ['gradualRolloutRandom', gradualRolloutRandom],
  ['remoteAddress', remoteAddress],
  ['applicationHostname', applicationHostname],
]);
