import { parseExactJson } from '@yardarm/contract/long-number';
import { describe, expect, it } from 'vitest';
import { arrayPaths, namedPaths, payloadPaths } from './payload-paths.ts';

describe('the paths of a payload', () => {
  it('lead to values in objects and arrays', () => {
    expect(payloadPaths({ status: 'firing', labels: [{ name: 'a' }, 'b'], alert: { value: 3, at: null } })).toEqual([
      ['alert.at', null],
      ['alert.value', 3],
      ['labels[0].name', 'a'],
      ['labels[1]', 'b'],
      ['status', 'firing'],
    ]);
  });

  it('lead to numbers with more digits than a double', () => {
    const payload = parseExactJson('{"alert":{"id":7421932185906577001}}');
    expect(payloadPaths(payload).map(([path, value]) => [path, String(value)])).toEqual([
      ['alert.id', '7421932185906577001'],
    ]);
  });

  it('are empty without values', () => {
    expect(payloadPaths({ empty: {}, none: [] })).toEqual([]);
    expect(payloadPaths('text')).toEqual([]);
  });

  it('include arrays, also empty ones', () => {
    expect(arrayPaths([{ data: { alerts: [{ tags: [] }] }, none: [], text: 'a' }])).toEqual([
      'data.alerts',
      'data.alerts[0].tags',
      'none',
    ]);
    expect(arrayPaths([['the payload itself has no path']])).toEqual([]);
  });

  it('list the fields of each element first, then the fields around the array', () => {
    const payload = {
      status: 'firing',
      alerts: [
        { id: 1, labels: { flag: 'a' } },
        { id: 2, severity: 'page' },
      ],
    };
    expect(namedPaths([payload], 'alerts')).toEqual(['item.id', 'item.labels.flag', 'item.severity', 'status']);
    expect(namedPaths([payload], '')).toContain('alerts[0].id');
    expect(namedPaths([payload], 'elsewhere')).toContain('alerts[0].id');
  });

  it('are merged from all payloads, without duplicates', () => {
    const payloads = [
      { status: 'ok', b: 1 },
      { status: 'firing', a: 1, tags: ['x'] },
      { tags: [], more: [] },
    ];
    expect(namedPaths(payloads, '')).toEqual(['b', 'status', 'a', 'tags[0]']);
    expect(namedPaths(payloads, 'tags')).toEqual(['b', 'status', 'item', 'a']);
    expect(arrayPaths(payloads)).toEqual(['tags', 'more']);
    const large = Array.from({ length: 20 }, (_, at) =>
      Object.fromEntries(Array.from({ length: 100 }, (_, key) => [`${at}-${key}`, key])),
    );
    expect(namedPaths(large, '')).toHaveLength(1000);
  });
});
