import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import files from '@unleash/client-specification/specifications/index.json' with { type: 'json' };
import {
  type ClientDocument,
  compileDocument,
  type EvaluationContext,
  type FlagSet,
  noVariant,
  readyContext,
} from '@yardarm/evaluation';
import { describe, expect, it } from 'vitest';

interface Suite {
  readonly name: string;
  readonly state: ClientDocument | { readonly events: readonly DeltaEvent[] };
  readonly tests?: readonly {
    readonly description: string;
    readonly context: EvaluationContext;
    readonly toggleName: string;
    readonly expectedResult: boolean;
  }[];
  readonly variantTests?: readonly {
    readonly description: string;
    readonly context: EvaluationContext;
    readonly toggleName: string;
    readonly expectedResult: object;
  }[];
}

type Feature = ClientDocument['features'][number];
type Segment = NonNullable<ClientDocument['segments']>[number];

/** A step of the delta interface (docs/spec#delta). */
type DeltaEvent =
  | { readonly type: 'hydration'; readonly features: readonly Feature[]; readonly segments: readonly Segment[] }
  | { readonly type: 'feature-updated'; readonly feature: Feature }
  | { readonly type: 'feature-removed'; readonly featureName: string }
  | { readonly type: 'segment-updated'; readonly segment: Segment }
  | { readonly type: 'segment-removed'; readonly segmentId: number };

const require = createRequire(import.meta.url);

function read(file: string): Suite {
  const path = require.resolve(`@unleash/client-specification/specifications/${file}`);
  return JSON.parse(readFileSync(path, 'utf8')) as Suite;
}

const suites = files.map(read);

/** Returns the document of a client that has applied the events. */
function follow(events: readonly DeltaEvent[]): ClientDocument {
  const features = new Map<string, Feature>();
  const segments = new Map<number, Segment>();
  for (const event of events) {
    if (event.type === 'hydration') {
      for (const feature of event.features) features.set(feature.name, feature);
      for (const segment of event.segments) segments.set(segment.id, segment);
    } else if (event.type === 'feature-updated') features.set(event.feature.name, event.feature);
    else if (event.type === 'feature-removed') features.delete(event.featureName);
    else if (event.type === 'segment-updated') segments.set(event.segment.id, event.segment);
    else segments.delete(event.segmentId);
  }
  return { features: [...features.values()], segments: [...segments.values()] };
}

function evaluate(flags: FlagSet, name: string, context: EvaluationContext) {
  const flag = flags.get(name);
  if (flag === undefined) return { enabled: false, variant: noVariant };
  return flags.evaluate(flag, readyContext(context, { now: Date.now(), random: Math.random }));
}

describe('the client specification', () => {
  it('is complete', () => {
    const cases = suites.flatMap(({ tests = [], variantTests = [] }) => [...tests, ...variantTests]);
    expect([suites.length, cases.length]).toEqual([22, 279]);
  });

  describe.each(suites)('$name', ({ state, tests = [], variantTests = [] }) => {
    // Compiled inside each test, so that a failure counts for that test, and mutation testing relates the code to it.
    const flags = () => compileDocument('events' in state ? follow(state.events) : state);

    for (const { description, context, toggleName, expectedResult } of tests) {
      it(description, () => expect(evaluate(flags(), toggleName, context).enabled).toBe(expectedResult));
    }

    for (const { description, context, toggleName, expectedResult } of variantTests) {
      it(`variant: ${description}`, () => {
        const { enabled, variant } = evaluate(flags(), toggleName, context);
        expect({ ...variant, feature_enabled: enabled }).toEqual(expectedResult);
      });
    }
  });
});
