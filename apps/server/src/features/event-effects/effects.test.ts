import { eventTypes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { reviewScopeOf, sdkChangeOf, touches } from './index.ts';

describe('the effects of an event', () => {
  it.each(eventTypes)('%s is reviewed only if SDKs may see the change', (type) => {
    // The change that SDKs see by a hold is in another event.
    const isSeen = sdkChangeOf(type) !== 'none' || touches({ type }, 'holds');
    if (!isSeen) expect(reviewScopeOf(type)).toBe('none');
  });

  it.each(['user', 'service-account'])('of a deleted %s ends its access, its tokens and its drafts', (kind) => {
    const event = { type: `${kind}-deleted` };
    for (const part of ['access-rights', 'personal-tokens', 'scheduler-permissions', 'drafts-of-account'] as const)
      expect(touches(event, part), part).toBe(true);
  });

  it('of a type that only a newer version knows may concern any cache, and the flag with its segments', () => {
    expect(touches({ type: 'flag-invented' }, 'access-rights')).toBe(true);
    expect(touches({ type: 'constructor' }, 'settings')).toBe(true);
    expect(sdkChangeOf('flag-invented')).toBe('flag and segments');
  });
});
