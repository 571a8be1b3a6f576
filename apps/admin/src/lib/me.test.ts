import { describe, expect, it } from 'vitest';
import { allows } from './me.ts';

describe('allows()', () => {
  it('allows everything everywhere with ADMIN', () => {
    const admin = [{ permission: 'ADMIN' }];
    expect(allows(admin, 'DELETE_PROJECT', { project: 'shop', environment: 'production' })).toBe(true);
  });

  it('limits a permission to its project and environment, and allows all projects with a star', () => {
    const held = [
      { permission: 'UPDATE_FEATURE', project: 'shop' },
      { permission: 'UPDATE_FEATURE_ENVIRONMENT', project: 'shop', environment: 'development' },
      { permission: 'CREATE_FEATURE', project: '*' },
    ];
    const change = (environment: string) =>
      allows(held, 'UPDATE_FEATURE_ENVIRONMENT', { project: 'shop', environment });
    expect([change('development'), change('production')]).toEqual([true, false]);
    expect(allows(held, 'UPDATE_FEATURE', { project: 'desk' })).toBe(false);
    expect(allows(held, ['DELETE_FEATURE', 'CREATE_FEATURE'], { project: 'desk' })).toBe(true);
  });
});
