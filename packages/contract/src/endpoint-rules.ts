import { z } from 'zod';
import { filterBody, payloadPath } from './action-conditions.ts';
import { ownFieldsSchema, redactedPathsSchema } from './signal-sources.ts';

/** The highest limits that an endpoint can have. */
const endpointLimits = { ratePerSecond: 1000, burst: 10_000, maxBodyBytes: 1024 * 1024, maxElements: 1000 } as const;
const maxRetentionDays = 3650;
/** One day, because signals are kept for at least a day. */
const maxExpectedMinutes = 24 * 60;

const limitOf = (name: keyof typeof endpointLimits) => z.number().int().min(1).max(endpointLimits[name]).nullable();
/** The limits that the owner of an endpoint can set. */
export const ownLimits = {
  ratePerSecond: limitOf('ratePerSecond').meta({ description: 'Signals a second from one token; null: the default' }),
  burst: limitOf('burst').meta({ description: 'Signals above the rate within ten seconds; null: the default' }),
  maxBodyBytes: limitOf('maxBodyBytes').meta({ description: 'The greatest size of a body; null: the default' }),
  maxElements: limitOf('maxElements').meta({
    description:
      'The greatest number of alerts in a signal that a set of actions runs for, in one transaction; null: as its source needs, or 100',
  }),
};

/** The limits of one token beside those of its endpoint: the stricter one counts. */
export const tokenLimits = {
  ratePerSecond: limitOf('ratePerSecond').meta({ description: 'Signals a second; null: as the endpoint allows' }),
  burst: limitOf('burst').meta({ description: 'Signals above the rate within ten seconds; null: as the endpoint' }),
  maxBodyBytes: limitOf('maxBodyBytes').meta({ description: 'The greatest size of a body; null: as the endpoint' }),
};
/** The rules that the owner of an endpoint can set for the content of its signals. */
export const endpointRules = {
  fields: ownFieldsSchema.nullable().meta({
    description: 'For the source `generic`: the paths of what Yardarm recognises in a payload',
  }),
  dropped: redactedPathsSchema.meta({
    description:
      'Paths whose values are removed before anything is stored. A path also goes into each element of an array: `alerts.labels.user`.',
  }),
  hashed: redactedPathsSchema.meta({
    description:
      'Paths whose values are replaced by `hmac-sha256:` and a keyed hash before anything is stored. Equal values have equal hashes in all signals of the endpoint. Paths are those of `dropped`.',
  }),
  oneSender: z.boolean().meta({
    description:
      'All tokens belong to one sender, as those of a pair of Alertmanagers do; false: alerts of two senders are told apart by the `sender` of their tokens',
  }),
  whenDisabled: z.enum(['refuse', 'keep']).meta({
    description:
      '`refuse` answers 404 while the endpoint is disabled. `keep` stores signals: runs that release wait until it is enabled, runs that hold wait for a person, others are skipped.',
  }),
  retentionDays: z.number().int().min(1).max(maxRetentionDays).nullable().meta({
    description: 'The days to keep its signals; null, and a longer time than the setting allows: as the setting says',
  }),
  expectedMinutes: z.number().int().min(1).max(maxExpectedMinutes).nullable().meta({
    description:
      'The minutes within which a signal is expected, test signals aside; null expects none. Without a signal the endpoint is silent, which is an event.',
  }),
  expectedFilters: z.record(payloadPath, filterBody).meta({
    description:
      'Filters by payload path, as those of action sets: only a signal that passes all of them is the expected one. Empty: every signal is. Needs `expectedMinutes`.',
  }),
};
