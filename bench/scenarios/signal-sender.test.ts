import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertOf } from './signal-sender.ts';

describe('an alert to send', () => {
  it('is JSON of exactly the requested size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 5000 }), (bytes) => {
        const alert = alertOf(bytes);
        expect(Buffer.byteLength(alert)).toBe(bytes);
        expect(JSON.parse(alert)).toMatchObject({ status: 'firing' });
      }),
    );
    expect(alertOf(100_000)).toHaveLength(100_000);
  });
});
