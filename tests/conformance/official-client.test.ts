import { type ClientDocument, compileDocument, type EvaluationContext, readyContext } from '@yardarm/evaluation';
import fc from 'fast-check';
import OfficialClient from 'unleash-client/lib/client.js';
import { defaultStrategies } from 'unleash-client/lib/strategy/index.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Constraint, constraints, contexts, documents, oddContexts } from './documents.ts';

const now = Date.UTC(2026, 2, 1);
let drawn = 0;

beforeAll(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  vi.spyOn(Math, 'random').mockImplementation(() => drawn);
});

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Returns the evaluation of a flag by the official Node SDK, given the documents that our server sends. */
function official(
  { features, segments = [] }: ClientDocument,
  name: string,
  context: EvaluationContext,
  random: number,
) {
  drawn = random;
  const repository = {
    getToggle: (wanted: string) => features.find((flag) => flag.name === wanted),
    getSegment: (id: number) => segments.find((segment) => segment.id === id),
  };
  const client = new (OfficialClient as unknown as typeof OfficialClient.default)(
    repository as never,
    defaultStrategies,
  );
  const given = context as never;
  const { name: variant, enabled, payload, feature_enabled } = client.getVariant(name, given);
  return {
    enabled: client.isEnabled(name, given, () => false),
    feature_enabled,
    variant,
    variantEnabled: enabled,
    payload,
  };
}

function ours(document: ClientDocument, name: string, context: EvaluationContext, random: number) {
  const flags = compileDocument(document);
  const flag = flags.get(name);
  if (flag === undefined) throw new Error(`no flag ${name}`);
  const ready = readyContext(context, { now, random: () => random, hostname: process.env.HOSTNAME ?? 'x' });
  const { enabled, variant } = flags.evaluate(flag, ready);
  const explained = flags.explain(flag, ready);
  return {
    explained,
    plain: {
      enabled,
      feature_enabled: enabled,
      variant: variant.name,
      variantEnabled: variant.enabled,
      payload: variant.payload,
    },
  };
}

const documentWith = (strategy: object): ClientDocument =>
  ({
    features: [{ name: 'f', enabled: true, strategies: [{ name: 'default', parameters: {}, ...strategy }] }],
  }) as ClientDocument;
const random = fc.integer({ min: 0, max: 9_999 }).map((n) => n / 10_000);
const runs = Number(process.env.CONFORMANCE_RUNS ?? 10_000);

describe('evaluation', () => {
  it(`answers as the official SDK does, on ${runs} random documents and contexts`, { timeout: 120_000 }, () => {
    let enabled = 0;
    let withVariant = 0;
    let cases = 0;
    fc.assert(
      fc.property(documents, contexts, random, (document, context, chance) => {
        for (const { name } of document.features) {
          const { plain, explained } = ours(document, name, context, chance);
          expect(plain).toEqual(official(document, name, context, chance));
          cases += 1;
          enabled += plain.enabled ? 1 : 0;
          withVariant += plain.variantEnabled ? 1 : 0;
          // The tree gives the same result as plain evaluation, unless its result is unknown.
          const flag = document.features.find((feature) => feature.name === name);
          if (explained.result === 'unknown') continue;
          if (flag?.strategies?.some((strategy) => strategy.name === 'applicationHostname')) continue;
          expect(Boolean(flag?.enabled) && explained.dependenciesHold && explained.result).toBe(
            explained.evaluation.enabled,
          );
          if (document.features.every((feature) => !feature.dependencies?.length))
            expect(explained.evaluation.enabled).toBe(plain.enabled);
        }
      }),
      { numRuns: runs, seed: 20_261_121 },
    );
    // If hardly any flag were on, the comparison above would prove nothing.
    expect(enabled / cases).toBeGreaterThan(0.15);
    expect(withVariant / cases).toBeGreaterThan(0.05);
  });

  it.each<[string, object, EvaluationContext, boolean, boolean]>([
    [
      'IN takes caseInsensitive as the server does',
      { constraints: [{ contextName: 'userId', operator: 'IN', values: ['Ann'], caseInsensitive: true }] },
      { userId: 'ANN' },
      true,
      false,
    ],
    [
      'NOT_IN takes caseInsensitive as the server does',
      { constraints: [{ contextName: 'userId', operator: 'NOT_IN', values: ['Ann'], caseInsensitive: true }] },
      { userId: 'ANN' },
      false,
      true,
    ],
    [
      'blank values are dropped after they are trimmed',
      { constraints: [{ contextName: 'userId', operator: 'STR_CONTAINS', values: [' '] }] },
      { userId: 'ann' },
      false,
      true,
    ],
    [
      'a version to compare with has no v before it either',
      { constraints: [{ contextName: 'plan', operator: 'SEMVER_GT', value: 'v1.0.0' }] },
      { properties: { plan: '2.0.0' } },
      false,
      true,
    ],
    [
      'a network is no address',
      { constraints: [{ contextName: 'remoteAddress', operator: 'IN_CIDR', values: ['10.0.0.0/8'] }] },
      { remoteAddress: '10.0.0.0/16' },
      false,
      true,
    ],
    [
      'an IPv4 address written as IPv6 is that address',
      { constraints: [{ contextName: 'remoteAddress', operator: 'IN_CIDR', values: ['10.0.0.0/8'] }] },
      { remoteAddress: '::ffff:10.1.1.1' },
      true,
      false,
    ],
    ...['', ' ', ' 1', '0x1', 'Infinity'].map((text): [string, object, EvaluationContext, boolean, boolean] => [
      `"${text}" is no number`,
      { constraints: [{ contextName: 'age', operator: 'NUM_GTE', value: '0' }] },
      { properties: { age: text } },
      false,
      true,
    ]),
    [
      'a constraint that was stored before reads numbers as it does',
      { constraints: [{ contextName: 'age', operator: 'NUM_GTE', value: '0', looseNumber: true }] },
      { properties: { age: '' } },
      true,
      true,
    ],
    [
      'a time is written by ISO 8601 or RFC 9110',
      { constraints: [{ contextName: 'currentTime', operator: 'DATE_AFTER', value: '2026-01-01T00:00:00.000Z' }] },
      { currentTime: 'Mar 1 2026' },
      false,
      true,
    ],
    [
      'the strategy remoteAddress finds addresses in networks of IPv6',
      { name: 'remoteAddress', parameters: { IPs: '10.0.0.1, 2001:db8::/32' } },
      { remoteAddress: '2001:db8::1' },
      true,
      false,
    ],
    [
      'the strategy remoteAddress takes an IPv4 address written as IPv6 for that address',
      { name: 'remoteAddress', parameters: { IPs: '10.0.0.0/8' } },
      { remoteAddress: '::ffff:10.1.1.1' },
      true,
      false,
    ],
    [
      'a rollout without a group is spread by the name of the flag',
      { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'userId' } },
      { userId: '1' },
      true,
      false,
    ],
    [
      'a context has no field that it was not given',
      { constraints: [{ contextName: 'constructor', operator: 'STR_CONTAINS', values: ['native'] }] },
      {},
      false,
      true,
    ],
    [
      'ids are hashed as UTF-8',
      { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'userId', groupId: 'g' } },
      { userId: 'ж' },
      true,
      false,
    ],
  ])('departs from it where our specification says so: %s', (_, strategy, context, expected, theirs) => {
    const document = documentWith(strategy);
    expect(ours(document, 'f', context, 0).plain.enabled).toBe(expected);
    expect(official(document, 'f', context, 0).enabled).toBe(theirs);
  });

  /** The differences of single constraints, each with the constraints and contexts that may show it. */
  const departures: Readonly<Record<string, (constraint: Constraint, text: string) => boolean>> = {
    'numbers are decimal': ({ operator }, text) =>
      operator.startsWith('NUM_') && !/^[+-]?[\d.]+(e\d{1,2})?$/.test(text),
    'times are written by ISO 8601 or RFC 9110, and without a zone in UTC': ({ operator }, text) =>
      operator.startsWith('DATE_') &&
      !/^\d{4}-\d{2}-\d{2}(T.*(Z|[+-]\d{2}:\d{2}))?$/.test(text.replace('2026-02-30', '?')),
    'versions have nothing before or after them': ({ operator }, text) =>
      operator.startsWith('SEMVER_') && /[\s=]/.test(text),
    'an IPv4 address written as IPv6 is that address': ({ operator }, text) =>
      operator === 'IN_CIDR' && text.startsWith('::ffff:'),
    'a network is no address': ({ operator }, text) => operator === 'IN_CIDR' && text.includes('/'),
  };

  it(`departs from it in the ways that are listed, and in no other, on ${runs} random constraints and odd contexts`, () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(constraints, oddContexts, (constraint, context) => {
        const document = documentWith({ constraints: [constraint] });
        if (ours(document, 'f', context, 0).plain.enabled === official(document, 'f', context, 0).enabled) return;
        const fields: Readonly<Record<string, unknown>> = { ...context.properties, ...context };
        const text = String(fields[constraint.contextName]);
        const listed = Object.entries(departures).find(([, may]) => may(constraint, text));
        expect(listed, `${JSON.stringify(constraint)} of "${text}"`).toBeDefined();
        seen.add(listed?.[0] ?? '');
      }),
      { numRuns: runs, seed: 20_261_128 },
    );
    expect([...seen].toSorted()).toEqual(Object.keys(departures).toSorted());
  });
});
