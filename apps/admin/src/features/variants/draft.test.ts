import { describe, expect, it } from 'vitest';
import { type VariantBody, variantBodies, variantDraftOf } from './draft.ts';

type Payload = NonNullable<VariantBody['payload']>;

/** A value of each type that the API has. */
const payloads: Readonly<Record<Payload['type'], string>> = {
  string: 'any text, also {',
  json: '{"a":[1,2]}',
  csv: 'a,b;"c",1',
  number: '1.5',
};

describe('the draft of a variant', () => {
  it.each(Object.entries(payloads) as [Payload['type'], string][])('keeps a payload of type %s', (type, value) => {
    const variants: VariantBody[] = [
      {
        ...{ name: 'first', weight: 300, weightType: 'fix', stickiness: 'sessionId', payload: { type, value } },
        overrides: [{ contextName: 'userId', values: ['ann', 'bob'] }],
      },
      { name: 'second', weight: 700, weightType: 'variable', stickiness: 'sessionId' },
    ];
    expect(variantBodies(variants.map(variantDraftOf), 'sessionId')).toEqual(variants);
  });
});
