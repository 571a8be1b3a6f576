import {
  type ClientDocument,
  type EvaluationContext,
  operatorNames,
  operators,
  type ValueKind,
} from '@yardarm/evaluation';
import fc from 'fast-check';

type Feature = ClientDocument['features'][number];
type Strategy = NonNullable<Feature['strategies']>[number];
export type Constraint = NonNullable<Strategy['constraints']>[number];
type Variant = NonNullable<Feature['variants']>[number];

/** Few names and values, so that flags and contexts often use the same ones. */
const fieldNames = ['userId', 'sessionId', 'remoteAddress', 'environment', 'appName', 'plan', 'version', 'n', 'gone'];
const filled = ['ann', 'Ann', 'bob', 'bo', 'ANNA', 'x@y.example', 'a b', 'pro'];
const words = [...filled, ''];
const numbers = ['0', '1', '-1', '1.5', '1.50', '1e3', '1000', 'one', '2', '.5', '+2', '007'];
/** Texts that only the SDK for Node reads as numbers. */
const oddNumbers = ['', ' ', ' 1', '0x10', '0b1', 'Infinity', '-Infinity', '1e999'];
const versions = [
  '1.2.3',
  '1.2.4',
  '1.10.0',
  '2.0.0-alpha',
  '2.0.0-alpha.1',
  '2.0.0-rc.1',
  '2.0.0',
  '1.2.3+b',
  'v1.2.3',
  '1.2',
];
const addresses = ['10.0.0.1', '10.1.2.3', '192.168.1.77', '2001:db8::1', '2001:DB8:0:1::42', '10.0.0', 'nowhere'];
const v4Networks = ['10.0.0.0/8', '10.0.0.1', '192.168.1.64/26', '0.0.0.0/0', '2001:db8::1', '10.0.0.0/33', 'x'];
const networks = [...v4Networks, '2001:db8::/32'];
const patterns = ['^a', 'n+$', '(?i)ANN', 'o{1,2}b?', '[[:alpha:]]+', '(', '(a)\\1', '\\d+\\.\\d', 'ann|bob', '^$'];
const dates = ['2026-01-01T00:00:00.000Z', '2026-06-01T00:00:00+02:00', '2026-06-01', 'yesterday'];
/** Times that the SDK for Node reads in the zone of its host, or that ours does not read. */
const oddDates = ['2026-03-01T12:00:00', 'Mar 1 2026', '2026-02-30'];

const oneOf = (values: readonly string[]) => fc.constantFrom(...values);
const flagName = fc.constantFrom('f0', 'f1', 'f2', 'f3');

const valuesOf: Readonly<Record<ValueKind, readonly string[]>> = {
  item: words,
  text: words,
  number: numbers,
  version: versions.filter((version) => !version.startsWith('v')),
  date: dates,
  pattern: patterns,
  network: networks,
};

const operatorsWithValues = [
  ...operatorNames.map((name) => [name, valuesOf[operators[name].kind]] as const),
  ['NO_SUCH', words] as const,
];

/** Returns constraints of each operator on the fields that it can test. */
const constraintOn = (fieldsOf: (operator: string) => readonly string[]): fc.Arbitrary<Constraint> =>
  fc.constantFrom(...operatorsWithValues).chain(([operator, values]) =>
    fc
      .record({
        contextName: oneOf(fieldsOf(operator)),
        operator: fc.constant(operator),
        values: fc.array(oneOf(values), { maxLength: 4 }),
        value: oneOf(values),
        inverted: fc.boolean(),
        caseInsensitive: fc.boolean(),
      })
      // Official SDKs ignore caseInsensitive for these operators, but we apply it, as Unleash's server does
      // (docs/spec#constraints). A test of its own covers that.
      .map((made) => (['IN', 'NOT_IN'].includes(operator) ? { ...made, caseInsensitive: false } : made)),
  );

const constraint = constraintOn((operator) =>
  operator.startsWith('DATE') ? ['currentTime'] : operator.startsWith('NUM') ? ['n', 'version', 'gone'] : fieldNames,
);

/** Constraints for {@link oddContexts}: numbers of every field. */
export const constraints = constraintOn((operator) => (operator.startsWith('DATE') ? ['currentTime'] : fieldNames));

const stickiness = fc.constantFrom('default', 'random', 'userId', 'sessionId', 'plan');
const percentage = fc.constantFrom('0', '1', '25', '50', '99', '100', 'x');

const variant: fc.Arbitrary<Variant> = fc.record(
  {
    name: fc.constantFrom('blue', 'red', 'green'),
    weight: fc.constantFrom(0, 1, 333, 500, 1000),
    stickiness,
    payload: fc.constantFrom({ type: 'string', value: 'x' }, { type: 'json', value: '{"a":1}' }),
    overrides: fc.array(
      fc.record({ contextName: oneOf(fieldNames), values: fc.array(oneOf(words), { maxLength: 2 }) }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['name', 'weight'] },
);
const variants = fc.array(variant, { maxLength: 3 });

function list(values: readonly string[]): fc.Arbitrary<string> {
  return fc.array(oneOf(values), { maxLength: 3 }).map((some) => some.join(', '));
}

const rule: fc.Arbitrary<Pick<Strategy, 'name' | 'parameters'>> = fc.oneof(
  fc.constant({ name: 'default', parameters: { groupId: 'g' } }),
  fc.record({
    name: fc.constant('flexibleRollout'),
    parameters: fc.record({ rollout: percentage, stickiness, groupId: fc.constantFrom('g', 'h') }),
  }),
  ...['gradualRolloutUserId', 'gradualRolloutSessionId', 'gradualRolloutRandom'].map((name) =>
    fc.record({ name: fc.constant(name), parameters: fc.record({ percentage, groupId: fc.constantFrom('g', 'h') }) }),
  ),
  fc.record({
    name: fc.constant('userWithId'),
    parameters: fc.record({ userIds: list(filled), groupId: fc.constant('g') }),
  }),
  fc.record({
    name: fc.constant('remoteAddress'),
    parameters: fc.record({ IPs: list([...addresses, ...v4Networks]), groupId: fc.constant('g') }),
  }),
  fc.record({
    name: fc.constant('applicationHostname'),
    parameters: fc.record({ hostNames: list(['This-Host', 'other', 'this-host']), groupId: fc.constant('g') }),
  }),
  fc.constant({ name: 'noSuchStrategy', parameters: {} }),
);

const strategy: fc.Arbitrary<Strategy> = fc
  .tuple(
    rule,
    fc.record({
      constraints: fc.array(constraint, { maxLength: 2 }),
      segments: fc.array(fc.constantFrom(1, 2, 3), { maxLength: 2 }),
      variants,
    }),
  )
  .map(([base, more]) => ({ ...base, ...more }));

const dependency = fc.record(
  {
    feature: flagName,
    enabled: fc.boolean(),
    variants: fc.array(fc.constantFrom('blue', 'red', 'disabled'), { maxLength: 2 }),
  },
  { requiredKeys: ['feature'] },
);

const feature: fc.Arbitrary<Feature> = fc.record(
  {
    name: flagName,
    enabled: fc.constantFrom(true, true, true, false),
    impressionData: fc.constant(false),
    strategies: fc.array(strategy, { maxLength: 3 }),
    variants,
    dependencies: fc.array(dependency, { maxLength: 1 }),
  },
  { requiredKeys: ['name', 'enabled', 'strategies', 'impressionData', 'variants'] },
);

/** A document of a few flags; no flag depends on itself. Strategies often name segment 3, which does not exist. */
export const documents: fc.Arbitrary<ClientDocument> = fc
  .record({
    features: fc.uniqueArray(feature, { selector: ({ name }) => name, minLength: 1, maxLength: 4 }),
    segments: fc
      .tuple(fc.array(constraint, { maxLength: 2 }), fc.array(constraint, { maxLength: 2 }))
      .map((lists) => lists.map((constraints, index) => ({ id: index + 1, name: `s${index + 1}`, constraints }))),
  })
  .map(({ features, segments }) => ({
    segments,
    features: features.map(({ dependencies = [], ...flag }) => ({
      ...flag,
      dependencies: dependencies.filter((parent) => parent.feature !== flag.name),
    })),
  }));

export const contexts: fc.Arbitrary<EvaluationContext> = fc.record(
  {
    userId: fc.oneof(oneOf(words), oneOf(versions), fc.integer({ min: 1, max: 9999 }).map(String)),
    sessionId: oneOf(words),
    remoteAddress: oneOf(addresses),
    environment: oneOf(words),
    appName: oneOf(words),
    currentTime: oneOf(dates),
    properties: fc.record(
      {
        plan: oneOf(words),
        version: fc.oneof(oneOf(versions), oneOf(filled)),
        n: fc.oneof(oneOf(numbers), oneOf(filled)),
        userId: oneOf(words),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

/** Contexts whose values SDKs may read differently. */
export const oddContexts: fc.Arbitrary<EvaluationContext> = fc.record(
  {
    userId: oneOf(words),
    remoteAddress: oneOf([...addresses, '::ffff:10.0.0.1', '10.0.0.0/16']),
    currentTime: oneOf([...dates, ...oddDates]),
    properties: fc.record(
      {
        n: oneOf([...numbers, ...oddNumbers]),
        plan: oneOf([...words, ...oddNumbers]),
        version: oneOf([...versions, ' 1.2.3', '=1.2.3']),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
