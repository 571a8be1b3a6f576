import { expect, it } from 'vitest';
import { oncePerTick, yieldToEventLoop } from './event-loop.ts';

it('runs work once at the end of the tick, after pending promise callbacks', async () => {
  const order: string[] = [];
  const schedule = oncePerTick(() => order.push('work'));
  schedule();
  void Promise.resolve().then(() => {
    order.push('callback');
    schedule();
  });
  expect(order).toEqual([]);
  await yieldToEventLoop();
  expect(order).toEqual(['callback', 'work']);
  schedule();
  await yieldToEventLoop();
  expect(order).toEqual(['callback', 'work', 'work']);
});

it('can be scheduled again by the work itself', async () => {
  let runs = 0;
  const schedule = oncePerTick(() => {
    if (++runs < 3) schedule();
  });
  schedule();
  await yieldToEventLoop();
  expect(runs).toBe(3);
});
