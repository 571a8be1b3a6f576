import { describe, expect, it } from 'vitest';
import { payloadPaths } from './payload-paths.ts';

describe('the paths of a payload', () => {
  it('lead to its values, through objects and arrays', () => {
    expect(payloadPaths({ status: 'firing', labels: [{ name: 'a' }, 'b'], alert: { value: 3, at: null } })).toEqual([
      ['alert.at', null],
      ['alert.value', 3],
      ['labels[0].name', 'a'],
      ['labels[1]', 'b'],
      ['status', 'firing'],
    ]);
  });

  it('are none where there is no value', () => {
    expect(payloadPaths({ empty: {}, none: [] })).toEqual([]);
    expect(payloadPaths('text')).toEqual([]);
  });
});
