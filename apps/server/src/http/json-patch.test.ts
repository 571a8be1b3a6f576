import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '#kernel/errors.ts';
import { applyPatch, type PatchOperation } from './json-patch.ts';

const patch = (document: unknown, ...operations: PatchOperation[]) => applyPatch(document, operations);

/** Applies operations that must be refused, and returns the details of the refusal. */
function refusal(document: unknown, ...operations: PatchOperation[]) {
  try {
    applyPatch(document, operations);
  } catch (error) {
    if (error instanceof Problem) return error.details;
    throw error;
  }
  throw new Error('the patch was applied, but should have been refused');
}

describe('a JSON Patch', () => {
  it('adds a member, or replaces it when it is there', () => {
    expect(patch({ a: 1 }, { op: 'add', path: '/b', value: null })).toEqual({ a: 1, b: null });
    expect(patch({ a: 1 }, { op: 'add', path: '/a', value: [2] })).toEqual({ a: [2] });
  });

  it('adds to a list before the place it names, or at its end', () => {
    expect(patch([1, 2], { op: 'add', path: '/0', value: 0 })).toEqual([0, 1, 2]);
    expect(patch([1, 2], { op: 'add', path: '/2', value: 3 })).toEqual([1, 2, 3]);
    expect(patch([1, 2], { op: 'add', path: '/-', value: [3] })).toEqual([1, 2, [3]]);
  });

  it('removes and replaces only what is there', () => {
    expect(patch({ a: [1, 2, 3] }, { op: 'remove', path: '/a/1' })).toEqual({ a: [1, 3] });
    expect(patch({ a: { b: 1 } }, { op: 'replace', path: '/a/b', value: 2 })).toEqual({ a: { b: 2 } });
    expect(refusal({ a: 1 }, { op: 'remove', path: '/b' })).toMatchObject([{ path: '0.path' }]);
    expect(refusal({ a: 1 }, { op: 'replace', path: '/b', value: 1 })).toMatchObject([{ path: '0.path' }]);
    expect(refusal([1], { op: 'remove', path: '/-' })).toMatchObject([{ path: '0.path' }]);
  });

  it('moves', () => {
    expect(patch({ a: { b: 1 }, c: 2 }, { op: 'move', from: '/a/b', path: '/c' })).toEqual({ a: {}, c: 1 });
    expect(patch([1, 2, 3], { op: 'move', from: '/0', path: '/2' })).toEqual([2, 3, 1]);
    expect(patch({ a: 1 }, { op: 'move', from: '/a', path: '/a' })).toEqual({ a: 1 });
    expect(refusal({ a: { b: 1 } }, { op: 'move', from: '/a', path: '/a/b' })).toMatchObject([
      { path: '0.path', message: expect.stringContaining('must not be inside the moved value') },
    ]);
    expect(patch({ a: 1 }, { op: 'move', from: '/a', path: '/ab' })).toEqual({ ab: 1 });
  });

  it('copies, and the copy changes alone', () => {
    const operations: PatchOperation[] = [
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/b/-', value: 2 },
    ];
    expect(patch({ a: [1] }, ...operations)).toEqual({ a: [1], b: [1, 2] });
  });

  it('tests by value, in any order of members', () => {
    const document = { a: { x: 1, y: [null, 'é'] } };
    expect(patch(document, { op: 'test', path: '/a', value: { y: [null, 'é'], x: 1 } })).toEqual(document);
    expect(refusal(document, { op: 'test', path: '/a/x', value: '1' })).toMatchObject([{ path: '0.value' }]);
    expect(refusal(document, { op: 'test', path: '/a/y', value: [null] })).toMatchObject([{ path: '0.value' }]);
  });

  it('takes the whole document by the empty path', () => {
    expect(patch({ a: 1 }, { op: 'replace', path: '', value: 'all' })).toBe('all');
    expect(patch({ a: 1 }, { op: 'copy', from: '', path: '/b' })).toEqual({ a: 1, b: { a: 1 } });
    expect(refusal({ a: 1 }, { op: 'remove', path: '' })).toMatchObject([{ path: '0.path' }]);
  });

  it('reads ~1 as / and ~0 as ~, once', () => {
    const document = { 'a/b': 1, '~1': 2, '': 3 };
    expect(patch(document, { op: 'test', path: '/a~1b', value: 1 })).toEqual(document);
    expect(patch(document, { op: 'test', path: '/~01', value: 2 })).toEqual(document);
    expect(patch(document, { op: 'test', path: '/', value: 3 })).toEqual(document);
    expect(refusal(document, { op: 'test', path: '/~2', value: 1 })).toMatchObject([{ path: '0.path' }]);
  });

  it.each(['a', '/a/b/c', '/01', '/list/01', '/list/3', '/list/-1', '/list/length', '/toString', '/list/0/x'])(
    'refuses the path %s, which leads nowhere',
    (path) => {
      const document = { a: { b: 1 }, list: [1, 2] };
      expect(refusal(document, { op: 'replace', path, value: 1 })).toMatchObject([{ path: '0.path' }]);
    },
  );

  it('names the operation that cannot be done, and leaves the document as it was', () => {
    const document = { a: [1] };
    const operations: PatchOperation[] = [
      { op: 'add', path: '/a/-', value: 2 },
      { op: 'copy', path: '/b' },
    ];
    expect(refusal(document, ...operations)).toMatchObject([{ path: '1.from' }]);
    expect(refusal(document, { op: 'add', path: '/b' })).toMatchObject([{ path: '0.value' }]);
    expect(document).toEqual({ a: [1] });
  });

  it('does not reach a prototype', () => {
    expect(refusal({}, { op: 'add', path: '/__proto__/polluted', value: 1 })).toMatchObject([{ path: '0.path' }]);
    expect(refusal({}, { op: 'add', path: '/constructor/prototype/polluted', value: 1 })).toMatchObject([
      { path: '0.path' },
    ]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('does not let copies of copies grow without end', () => {
    const doubling = Array.from({ length: 60 }, (): PatchOperation => ({ op: 'copy', from: '', path: '/-' }));
    expect(refusal(['x'.repeat(1000)], ...doubling)).toMatchObject([{ path: expect.stringMatching(/^\d+\.from$/) }]);
  });

  it('can be undone: what is added and removed again leaves no trace', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (document, key, value) => {
        fc.pre(!Object.hasOwn(document, key) && key !== '__proto__');
        const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        const added = patch(document, { op: 'add', path, value });
        expect((added as Record<string, unknown>)[key]).toEqual(value);
        expect(patch(added, { op: 'test', path, value }, { op: 'remove', path })).toEqual(document);
      }),
    );
  });

  it('meets any operations on any document with a document or a refusal', () => {
    const operation = fc.record(
      {
        op: fc.constantFrom('add', 'remove', 'replace', 'copy', 'move', 'test' as const),
        path: fc.oneof(fc.string(), fc.constantFrom('', '/a', '/a/0', '/a/-', '/b/c')),
        from: fc.constantFrom('', '/a', '/a/0', '/b', '/b/c'),
        value: fc.jsonValue(),
      },
      { requiredKeys: ['op', 'path'] },
    ) as fc.Arbitrary<PatchOperation>;
    const document = fc.record({ a: fc.array(fc.jsonValue()), b: fc.dictionary(fc.string(), fc.jsonValue()) });
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 8 }), (before, operations) => {
        const unchanged = structuredClone(before);
        try {
          JSON.stringify(applyPatch(before, operations));
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
        expect(before).toEqual(unchanged);
      }),
    );
  });
});
