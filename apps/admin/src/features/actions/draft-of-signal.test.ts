import type { NormalizedSignal } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { draftOfSignal } from './draft-of-signal.ts';

const nothing = { title: null, severity: null, fingerprint: null, startedAt: null, link: null };
const filters = (constraints: ReturnType<typeof draftOfSignal>['filters'] | null) =>
  constraints?.map(({ contextName, operator, values }) => [contextName, operator, values]);
const draft = (signal: NormalizedSignal | null) => draftOfSignal(7, signal);

describe('the draft of an action from a signal', () => {
  it('holds for each alert of a group, from its start to its end', () => {
    const element = { ...nothing, state: 'resolved', title: 'Error rate 12 %' } as const;
    const made = draft({ ...nothing, state: 'firing', title: 'HighErrorRate', elements: [element] });
    expect(made).toMatchObject({
      name: 'Hold off while HighErrorRate',
      sourceId: '7',
      forEach: 'normalized.elements',
      actions: [{ action: 'HOLD_FEATURE', params: { effect: 'off', reason: '{{item.title}}' } }],
    });
    expect(filters(made.filters)).toEqual([
      ['item.state', 'IN', ['firing']],
      ['normalized.title', 'IN', ['HighErrorRate']],
    ]);
    expect(filters(made.releaseFilters)).toEqual([
      ['item.state', 'IN', ['resolved']],
      ['normalized.title', 'IN', ['HighErrorRate']],
    ]);
  });

  it('holds from a failure to the next success, whichever the signal is', () => {
    const made = draft({ ...nothing, state: 'succeeded', title: 'deploy', elements: [] });
    expect(made.forEach).toBe('');
    expect(filters(made.filters)?.[0]).toEqual(['normalized.state', 'IN', ['failed']]);
    expect(filters(made.releaseFilters)?.[0]).toEqual(['normalized.state', 'IN', ['succeeded']]);
  });

  it('has only the source when the signal has no known state', () => {
    for (const signal of [null, { ...nothing, state: null, title: 'Deployed', elements: [] }])
      expect(draft(signal)).toMatchObject({ sourceId: '7', name: '', filters: [], releaseFilters: null });
  });
});
