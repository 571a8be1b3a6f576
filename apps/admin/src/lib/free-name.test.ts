import { expect, it } from 'vitest';
import { freeName } from './free-name.ts';

it('a free name is the wanted one, or has the first number that makes it free', () => {
  expect(freeName('shop', ['prod'])).toBe('shop');
  expect(freeName('shop', ['shop', 'shop-2'])).toBe('shop-3');
  expect(freeName('Test signals', ['Test signals'], ' ')).toBe('Test signals 2');
});
