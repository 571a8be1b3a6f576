import { describe, expect, it } from 'vitest';
import {
  moved,
  newMilestone,
  newTemplate,
  problemsBelow,
  type TemplateDraft,
  templateBodyOf,
  templateDraftOf,
  templateProblems,
  withShare,
} from './template-draft.ts';
import type { Template } from './template-queries.ts';
import { anHour, withoutEnvironment } from './time-draft.ts';

const templateOf = (milestones: readonly object[]) =>
  ({ id: 't', name: 'Careful', description: null, project: null, archivedAt: null, milestones }) as unknown as Template;

const strategy = { id: 's', name: 'default', title: null, disabled: false, parameters: {}, segments: [] };
const milestone = (name: string, transitionCondition: object | null) => ({
  id: name,
  name,
  transitionCondition,
  strategies: [{ ...strategy, constraints: [], variants: [] }],
});

describe('a new template', () => {
  it('goes from 1 % to everyone, an hour each, with the group left to the flag', () => {
    const { milestones = [] } = templateBodyOf({ ...newTemplate(), name: ' Careful ' }, []);
    expect(milestones.map(({ name, transitionCondition }) => [name, transitionCondition])).toEqual([
      ['1 %', { intervalMinutes: 60 }],
      ['10 %', { intervalMinutes: 60 }],
      ['50 %', { intervalMinutes: 60 }],
      ['100 %', null],
    ]);
    expect(milestones[1]?.strategies?.[0]?.parameters).toEqual({ rollout: '10', stickiness: 'default' });
  });

  it('needs a name, and an enabled strategy in each milestone', () => {
    const draft = newTemplate();
    const empty: TemplateDraft = { ...draft, milestones: draft.milestones.map((one) => ({ ...one, strategies: [] })) };
    expect(Object.keys(templateProblems(empty, []))).toEqual([
      'name',
      ...[0, 1, 2, 3].map((index) => `milestones.${index}.strategies`),
    ]);
  });
});

describe('the draft of a template', () => {
  it('keeps ids, and parts of a condition that it does not edit', () => {
    const condition = { intervalMinutes: 2880, later: { known: true } };
    const draft = templateDraftOf(templateOf([milestone('A', condition), milestone('B', null)]));
    expect(draft.milestones.map(({ time }) => [time?.count, time?.unit])).toEqual([
      [2, 'days'],
      [2, 'days'],
    ]);
    const { milestones = [] } = templateBodyOf(draft, []);
    expect(milestones[0]).toMatchObject({ id: 'A', transitionCondition: condition, strategies: [{ id: 's' }] });
    expect(milestones[1]?.transitionCondition).toBeNull();
  });

  it('refuses a time below a minute and hours without a day', () => {
    const time = { ...anHour, count: '', hours: { days: [], from: '09:00', to: '17:00', timeZone: 'UTC' } };
    const milestones = [newMilestone(1, time), newMilestone(100, time)];
    const problems = templateProblems({ name: 'A', description: '', project: '', milestones }, []);
    expect(problemsBelow(problems, 'milestones.0')).toEqual({
      'transitionCondition.intervalMinutes': 'Must be a whole number from 1.',
      'transitionCondition.hours.days': 'Choose a day.',
    });
    expect(problemsBelow(problems, 'milestones.1')).toEqual({});
  });
});

describe('a milestone', () => {
  const [before] = newTemplate().milestones;
  if (before === undefined) throw new Error('a new template has milestones');
  const key = before.strategies[0]?.key ?? '';

  it('is renamed with its percentage while its name says the percentage', () => {
    const after = withShare(before, key, 5);
    expect([after.name, after.strategies[0]?.draft.parameters.rollout]).toEqual(['5 %', '5']);
    expect(withShare({ ...before, name: 'Canary' }, key, 5).name).toBe('Canary');
  });

  it('moves up and down, and not out of the list', () => {
    expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
    expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
    expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
  });
});

describe('the metric of a plan that becomes a template', () => {
  const condition = (environments: string[]) => ({
    intervalMinutes: 60,
    metric: {
      impactMetric: {
        metricName: 'unleash_counter_errors',
        timeRange: 'hour' as const,
        aggregationMode: 'count' as const,
        labelSelectors: { appName: ['shop'], environment: environments },
        dividedBy: { metricName: 'unleash_counter_requests', labelSelectors: { environment: environments } },
      },
      condition: { operator: '<' as const, threshold: 5 },
    },
  });
  const labelsOf = ({ metric }: ReturnType<typeof withoutEnvironment>) => [
    metric?.impactMetric.labelSelectors,
    metric?.impactMetric.dividedBy?.labelSelectors,
  ];

  it('loses the environment of the plan, and no other label', () => {
    expect(labelsOf(withoutEnvironment(condition(['production']), 'production'))).toEqual([{ appName: ['shop'] }, {}]);
  });

  it('keeps other environments', () => {
    const others = condition(['production', 'staging']);
    expect(withoutEnvironment(others, 'production')).toEqual(others);
  });
});
