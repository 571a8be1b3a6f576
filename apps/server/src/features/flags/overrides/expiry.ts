import type { JobKind } from '#jobs/runner.ts';
import { expireOverrides, expiryKind } from './commands.ts';

/** Ends overrides at their time, with an event. Actions compare the time themselves, so a late job delays nothing. */
export const overrideExpiry: JobKind = {
  kind: expiryKind,
  records: true,
  run: async (tx) => {
    await expireOverrides(tx);
    return undefined;
  },
};
