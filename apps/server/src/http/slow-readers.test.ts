import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { SlowReaders } from './slow-readers.ts';

class FakeResponse extends EventEmitter {
  timeout = 0;
  destroyed = false;

  setTimeout(ms: number): void {
    this.timeout = ms;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

describe('slow readers', () => {
  const kB = 1024;
  const long = () => Buffer.alloc(100 * kB);
  const send = (readers: SlowReaders, body: unknown) => {
    const response = new FakeResponse();
    readers.watch(response as unknown as ServerResponse, body);
    return response;
  };
  const of = (maxUnsentBytes: number) => new SlowReaders({ maxUnsentBytes });

  it('lose their connection when it makes no progress, unless their answer is short', () => {
    const readers = new SlowReaders({ stalledMs: 5 });
    expect(send(readers, long()).timeout).toBe(5);
    expect(send(readers, 'x'.repeat(100 * kB)).timeout).toBe(5);
    expect(send(readers, 'x').timeout).toBe(0);
    expect(send(readers, undefined).timeout).toBe(0);
  });

  it('lose their connection, those of the oldest answer first, when their answers take too much memory', () => {
    const readers = of(350 * kB);
    const answers = [long(), 'y'.repeat(100 * kB), long()].map((body) => send(readers, body));
    expect(answers.map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
    answers.push(send(readers, 'z'.repeat(200 * kB)));
    expect(answers.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
  });

  it('share the memory of one body, and of a body that is still sent none is cut', () => {
    const readers = of(350 * kB);
    const shared = long();
    const answers = Array.from({ length: 100 }, () => send(readers, shared));
    const own = [send(readers, long()), send(readers, long())];
    answers.push(send(readers, shared), send(readers, shared));
    own.push(send(readers, long()));
    expect(answers.some(({ destroyed }) => destroyed)).toBe(false);
    expect(own.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  });

  it('free the memory when they have read their answer', () => {
    const readers = of(250 * kB);
    const shared = long();
    for (let i = 0; i < 100; i++) {
      const both = [send(readers, shared), send(readers, shared), send(readers, long())];
      for (const answer of both) answer.emit('close');
      expect(both.some(({ destroyed }) => destroyed)).toBe(false);
    }
  });

  it('may read one answer of any length', () => {
    expect(send(of(kB), long()).destroyed).toBe(false);
  });
});
