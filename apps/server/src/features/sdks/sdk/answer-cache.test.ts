import { describe, expect, it } from 'vitest';
import type { SdkCaller } from '#kernel/caller.ts';
import { givenEnabled, givenFlag, switchFlag } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { fullAnswer } from './answer-body.ts';
import { AnswerCache } from './answer-cache.ts';
import { queryFor } from './feature-query.ts';
import { SnapshotReader } from './snapshot-reader.ts';

const caller: SdkCaller = { type: 'backend', tokenId: 1, tokenName: 't', projects: ['*'], environment: 'development' };
const query = (namePrefix: string) => queryFor(caller, { namePrefix }, true);

describe('AnswerCache', () => {
  const server = useServer();
  const load = async () => (await SnapshotReader.follow(server().app.database)).snapshot;

  /** Returns whether the second of two identical requests is answered from the cache. */
  async function isCached(answers: AnswerCache, namePrefix: string, encoding = 'identity'): Promise<boolean> {
    const first = await answers.answer(query(namePrefix), encoding);
    return (await answers.answer(query(namePrefix), encoding)).bytes === first.bytes;
  }

  it('evicts the least recently used answer when it is full', async () => {
    const snapshot = await load();
    const size = (await new AnswerCache(snapshot, fullAnswer, 1).answer(query('a'), undefined)).bytes.length;
    // An entry has an overhead of 1024 bytes, so the cache holds two answers and not three.
    const answers = new AnswerCache(snapshot, fullAnswer, 2.5 * (size + 1024));
    const bytes = async (namePrefix: string) => (await answers.answer(query(namePrefix), undefined)).bytes;
    const [a, b] = [await bytes('a'), await bytes('b')];
    expect(await bytes('a')).toBe(a);
    const c = await bytes('c');
    expect(await bytes('a')).toBe(a);
    expect(await bytes('c')).toBe(c);
    expect(await bytes('b')).not.toBe(b);
  });

  it('keeps the last answer, however large', async () => {
    const answers = new AnswerCache(await load(), fullAnswer, 1);
    expect(await isCached(answers, 'large')).toBe(true);
    expect(await isCached(answers, 'larger')).toBe(true);
  });

  it('compresses an answer once', async () => {
    for (let i = 0; i < 10; i++) await givenFlag(server(), { name: `pack.${i}`, description: 'x'.repeat(200) });
    const answers = new AnswerCache(await load(), fullAnswer, 1_000_000);
    const [first, second] = await Promise.all(['gzip', 'gzip'].map((header) => answers.answer(query('pack'), header)));
    expect(first?.encoding).toBe('gzip');
    expect(first?.bytes).toBe(second?.bytes);
    expect(await isCached(answers, 'pack', 'br')).toBe(true);
  });

  it('drops the answers of a changed environment only', async () => {
    const answers = new AnswerCache(await load(), fullAnswer, 1_000_000);
    const elsewhere = queryFor({ ...caller, environment: 'production' }, {}, true);
    const before = [await answers.answer(query(''), undefined), await answers.answer(elsewhere, undefined)];
    // Creating a flag changes all environments; switching a flag changes one.
    const { featureName } = await givenEnabled(server());
    const created = [await answers.answer(query(''), undefined), await answers.answer(elsewhere, undefined)];
    expect(created[0]?.bytes).not.toBe(before[0]?.bytes);
    expect(created[1]?.bytes).not.toBe(before[1]?.bytes);
    const params = { projectId: 'default', featureName, environment: 'development' };
    await switchFlag(server(), params, 'off');
    const switched = [await answers.answer(query(''), undefined), await answers.answer(elsewhere, undefined)];
    expect(switched[0]?.bytes).not.toBe(created[0]?.bytes);
    expect(switched[1]?.bytes).toBe(created[1]?.bytes);
  });
});
