import { describe, expect, it } from 'vitest';
import { createSeal, markLength } from './seal.ts';

describe('a sealed text', () => {
  const password = 'the-secret-of-an-installation';
  /** Written by version 0.9.0. */
  const stored = 'sealed:2:_T4jBN8I:6Rww3b6xcQ0W2uIUvmNlFUdABr36MD-l3A34Ej6m_BQSAg';

  it('of version 0.9.0 can be read with its password, current or previous, and with no other', () => {
    expect(createSeal(password).open(stored)).toBe('s3cret');
    expect(createSeal('another', password).open(stored)).toBe('s3cret');
    expect(createSeal('another').open(stored)).toBeUndefined();
    expect(createSeal(undefined).open(stored)).toBeUndefined();
  });

  it('begins with the mark of its password, and differs each time', () => {
    const seal = createSeal(password);
    expect(seal.mark).toBe('sealed:2:_T4jBN8I:');
    expect(seal.mark).toHaveLength(markLength);
    const texts = [seal.seal('a'), seal.seal('a')];
    expect(texts[0]).not.toBe(texts[1]);
    expect(texts.map((text) => [text.startsWith(seal.mark), seal.open(text)])).toEqual([
      [true, 'a'],
      [true, 'a'],
    ]);
  });

  it('that was changed cannot be read', () => {
    const changed = stored.slice(0, -2) + (stored.endsWith('A') ? 'BB' : 'AA');
    expect(createSeal(password).open(changed)).toBeUndefined();
  });

  it('is marked as plain without a password, and can be read with a password later', () => {
    const text = createSeal(undefined).seal('plain:a');
    expect(text).toBe('plain:plain:a');
    expect(createSeal(password).open(text)).toBe('plain:a');
  });
});
