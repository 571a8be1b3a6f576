import { describe, expect, it } from 'vitest';
import type { ActionDefinitions, StoredActionSet } from '../../entities/actions/action-queries.ts';
import { newConstraint } from '../../entities/constraints/draft.ts';
import { bodyOfSet, draftOfRelease, draftOfSet, draftOfSilence, draftProblems, withTrigger } from './action-draft.ts';

const place = ['project', 'environment', 'featureName'].map((name) => ({
  name,
  label: name,
  type: name === 'project' ? ('hidden' as const) : ('select' as const),
  optional: false,
}));
const kind = (...names: readonly string[]): ActionDefinitions[string] => ({
  label: 'Hold',
  description: '',
  category: 'Flags',
  permissions: [],
  parameters: [...place, ...names.map((name) => ({ name, label: name, type: 'text' as const, optional: true }))],
});
const definitions: ActionDefinitions = {
  HOLD_FEATURE: {
    ...kind('key', 'labels'),
    parameters: [
      ...kind('key', 'labels').parameters,
      { name: 'minutes', label: 'Minutes', type: 'number', optional: true },
    ],
  },
  RELEASE_FEATURE: kind('key'),
};

const made = { createdAt: '2026-01-01T00:00:00.000Z', createdByUserId: 1 };
const flag = { project: 'shop', environment: 'production', featureName: '{{item.flag}}' };
const set: StoredActionSet = {
  ...made,
  id: 7,
  name: 'Hold',
  description: 'Holds it',
  project: 'shop',
  enabled: true,
  actorId: 2,
  match: {
    source: 'signal-endpoint',
    sourceId: 3,
    trigger: 'signal',
    payload: { 'item.status': { operator: 'IN', values: ['firing'] } },
    release: { 'item.status': { operator: 'IN', values: ['resolved'] } },
    forEach: 'alerts',
  },
  allow: { flags: ['checkout'], tags: [], environments: [] },
  guards: { flagsPerHour: 5 },
  shadow: false,
  actions: [
    {
      ...made,
      id: 11,
      action: 'HOLD_FEATURE',
      sortOrder: 4,
      executionParams: { ...flag, minutes: 120, key: '{{item.id}}', labels: { of: ['another', 'kind'] } },
    },
  ],
};

describe('the draft of an action set', () => {
  it('asks to confirm a new hold without minutes that no signal releases', () => {
    const draft = { ...draftOfSet(set), releaseFilters: null, staysHeld: false };
    const lasting = (minutes: string) => {
      const actions = draft.actions.map((action) => ({ ...action, params: { ...action.params, minutes } }));
      return draftProblems({ ...draft, actions }, definitions).staysHeld;
    };
    expect([lasting('60'), lasting('{{minutes}}')]).toEqual([undefined, undefined]);
    for (const minutes of ['', ' ', '0']) expect(lasting(minutes)).toMatch(/^Set minutes/);
    expect(draftProblems(draftOfSet(set), definitions).staysHeld).toBeUndefined();
    // A saved set that loses its end has to be confirmed as well, but not one that never had one.
    const saved = draftOfSet(set);
    const withoutMinutes = saved.actions.map((action) => ({ ...action, params: { ...action.params, minutes: '' } }));
    const endless = { ...saved, releaseFilters: null, actions: withoutMinutes };
    expect(draftProblems(endless, definitions).staysHeld).toMatch(/^Set minutes/);
  });

  it('cannot be saved while a filter has no parameter, because more signals would match than before', () => {
    const saved = draftOfSet(set);
    const blank = [...saved.filters, { ...newConstraint(), contextName: ' ' }];
    expect(draftProblems({ ...saved, filters: blank }, definitions).filters).toMatch(/^Enter the parameter/);
    expect(draftProblems({ ...saved, releaseFilters: blank }, definitions).releaseFilters).toMatch(/^Enter the param/);
    expect(draftProblems(saved, definitions).filters).toBeUndefined();
  });

  it('is sent unchanged, with the ids of its actions, when nothing was edited', () => {
    const [action] = set.actions;
    expect(bodyOfSet(draftOfSet(set), 'shop', definitions)).toEqual({
      name: 'Hold',
      description: 'Holds it',
      enabled: true,
      shadow: false,
      actorId: 2,
      match: set.match,
      allow: set.allow,
      guards: set.guards,
      actions: [{ id: 11, action: 'HOLD_FEATURE', sortOrder: 1, executionParams: action?.executionParams }],
    });
  });

  it('yields a releasing set with the same filters for resolved alerts', () => {
    const draft = draftOfRelease(set, definitions);
    expect(bodyOfSet(draft, 'shop', definitions)).toMatchObject({
      name: 'Release: Hold',
      match: { payload: { 'item.status': { values: ['resolved'] } }, forEach: 'alerts' },
      allow: set.allow,
    });
    expect(bodyOfSet(draft, 'shop', definitions).actions).toEqual([
      { action: 'RELEASE_FEATURE', sortOrder: 1, executionParams: { ...flag, key: '{{item.id}}' } },
    ]);
  });

  it('reports missing values by the path of the server', () => {
    const draft = draftOfSet(undefined);
    const [action] = draft.actions;
    const typed = { ...draft, actions: action === undefined ? [] : [{ ...action, action: 'RELEASE_FEATURE' }] };
    expect(Object.keys(draftProblems(typed, definitions))).toEqual([
      'name',
      'sourceId',
      'actorId',
      'actions.0.executionParams.environment',
      'actions.0.executionParams.featureName',
    ]);
    expect(bodyOfSet(typed, 'shop', definitions)).toMatchObject({ allow: null, guards: {}, match: { forEach: null } });
  });

  it('changes its filters with the trigger, and releases without filters when a silence ends', () => {
    const silent = { ...draftOfSet(set), ...withTrigger(draftOfSet(set), 'silence') };
    expect(draftProblems(silent, definitions)).toEqual({});
    expect(bodyOfSet(silent, 'shop', definitions).match).toEqual({
      source: 'signal-endpoint',
      sourceId: 3,
      trigger: 'silence',
      payload: {},
      release: {},
      forEach: null,
    });
    const back = { ...silent, ...withTrigger(silent, 'signal') };
    expect(bodyOfSet(back, 'shop', definitions).match).toMatchObject({ trigger: 'signal', payload: {}, release: null });
    expect(withTrigger(silent, 'silence')).toEqual({ trigger: 'silence' });
  });

  it('of a silence holds a flag off until signals arrive again', () => {
    const draft = draftOfSilence(3);
    expect(draft).toMatchObject({ sourceId: '3', trigger: 'silence', forEach: '', filters: [], releaseFilters: [] });
    expect(draft.actions).toMatchObject([{ action: 'HOLD_FEATURE', params: { effect: 'off' } }]);
  });
});
