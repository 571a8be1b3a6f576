import { describe, expect, it } from 'vitest';
import { stretchesOf } from './rehearsal-words.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const step = (
  minute: number,
  step: 'started' | 'held' | 'released' | 'gated' | 'approved',
  milestoneOrder: number,
) => ({
  at: at(minute),
  step,
  milestone: `step ${milestoneOrder}`,
  milestoneOrder,
  text: '',
  signalId: null,
  actionSet: null,
});

describe('the stretches of a rehearsal', () => {
  it('reach from each step to the next, and the last to the end', () => {
    const steps = [step(0, 'started', 0), step(10, 'held', 0), step(15, 'released', 0), step(45, 'started', 1)];
    const stretches = stretchesOf({ steps, to: at(60) });
    expect(stretches.map(({ from, to, course }) => [(to - from) / 60_000, course])).toEqual([
      [10, 'running'],
      [5, 'held'],
      [30, 'running'],
      [15, 'running'],
    ]);
    expect(stretches.at(-1)).toMatchObject({ milestone: 'step 1', milestoneOrder: 1 });
  });

  it('stay as they are when an approval comes while another gate is closed', () => {
    const steps = [step(0, 'started', 0), step(10, 'gated', 0), step(20, 'approved', 0), step(20, 'started', 1)];
    expect(stretchesOf({ steps, to: at(30) }).map(({ course }) => course)).toEqual(['running', 'gated', 'running']);
  });
});
