import { describe, expect, it } from 'vitest';
import { connectionState, sdkName } from './connection-state.ts';

const at = '2026-11-22T12:00:00.000Z';
const later = '2026-11-22T12:00:30.000Z';
const shop = {
  appName: 'shop',
  environment: 'development',
  sdkVersion: 'sdk:1',
  lastSeenAt: at,
  evaluatedAt: null,
  usesProject: false,
};
const use = { environment: 'development', type: 'frontend', seenAt: at } as const;

describe('the connection of a flag in an environment', () => {
  it('waits without requests, whatever another environment sees', () => {
    const elsewhere = { applications: [{ ...shop, environment: 'production', evaluatedAt: at }], tokens: [] };
    expect(connectionState(elsewhere, 'development')).toEqual({ step: 'waiting' });
  });

  it('shows the last use of a token while no application is named', () => {
    const tokens = [use, { ...use, type: 'backend', seenAt: later } as const];
    expect(connectionState({ applications: [], tokens }, 'development')).toEqual({ step: 'token used', at: later });
  });

  it('shows applications that report, until one has evaluated the flag', () => {
    const desk = { ...shop, appName: 'desk', usesProject: true };
    const elsewhere = { ...shop, environment: 'production' };
    expect(connectionState({ applications: [shop, elsewhere, desk], tokens: [use] }, 'development')).toEqual({
      step: 'reporting',
      applications: [shop, desk],
    });
    const evaluated = { ...shop, evaluatedAt: later };
    expect(connectionState({ applications: [shop, evaluated], tokens: [use] }, 'development')).toEqual({
      step: 'evaluated',
      application: evaluated,
      at: later,
    });
  });
});

describe('the name of an SDK', () => {
  it.each([
    ['unleash-client-node:6.12.1', 'unleash-client-node 6.12.1'],
    ['my own client', 'my own client'],
  ])('%s is written as %s', (sdkVersion, name) => {
    expect(sdkName(sdkVersion)).toBe(name);
  });
});
