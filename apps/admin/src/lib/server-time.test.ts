import { afterEach, describe, expect, it, vi } from 'vitest';
import { noteServerTime, serverNow } from './server-time.ts';

const real = Date.parse('2026-11-30T10:00:00.500Z');
const header = new Date(real).toUTCString();

/** Sets the clock of the computer, which is ahead of that of the server. */
function setAhead(ms: number): void {
  vi.useFakeTimers({ now: real + ms, toFake: ['Date'] });
}

afterEach(() => {
  vi.useRealTimers();
  // Other tests share the module.
  noteServerTime(new Date().toUTCString(), Date.now());
});

describe('the time of the server', () => {
  it.each([10, -10])('is that of its answers when the clock of the computer is %s minutes ahead', (minutes) => {
    setAhead(minutes * 60_000);
    noteServerTime(header, Date.now());
    expect(Math.abs(serverNow() - real)).toBeLessThanOrEqual(500);
  });

  it('is that of the computer when the difference is within that of the header', () => {
    setAhead(1200);
    noteServerTime(header, Date.now());
    expect(serverNow()).toBe(Date.now());
  });

  it('stays as it was after an answer that took long, or that has no date', () => {
    setAhead(600_000);
    noteServerTime(header, Date.now());
    const before = serverNow();
    noteServerTime(header, Date.now() - 20_000);
    noteServerTime(null, Date.now());
    expect(serverNow()).toBe(before);
  });
});
