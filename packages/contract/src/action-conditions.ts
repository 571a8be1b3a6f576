import { filterOperatorNames } from '@yardarm/evaluation/operators';
import { z } from 'zod';
import { featureNameText, filledText, plainText, urlFriendly } from './text.ts';

/** A path in a payload. */
export const payloadPath = filledText(500);

export const filterBody = z.strictObject({
  operator: z.enum(filterOperatorNames),
  inverted: z.boolean().optional().meta({ description: 'Inverts the result' }),
  caseInsensitive: z.boolean().optional().meta({ description: 'For IN, NOT_IN and STR_…' }),
  value: plainText(1000).optional().meta({ description: 'The value that NUM_… and SEMVER_… compare with' }),
  values: z
    .array(plainText(1000))
    .optional()
    .meta({ description: 'The values that IN, NOT_IN and STR_… compare with; one match is enough' }),
});

/** The flags, tags and environments that an action may take from values in a payload. */
export const allowBody = z.strictObject({
  flags: z
    .array(z.union([z.literal('*'), featureNameText]))
    .max(1000)
    .default([])
    .meta({ description: '`*` for all flags of the project' }),
  tags: z
    .array(filledText(300))
    .max(100)
    .default([])
    .meta({ description: 'Tags such as simple:checkout. Allows these tags, and the flags that have one of them' }),
  environments: z.array(urlFriendly).max(100).default([]).meta({ description: 'Environments of the project' }),
});

const seconds = z.number().int().min(1).max(2_592_000);

/** The days of a week, Monday first. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:00');

/** Returns whether a name is that of a time zone, such as Europe/Berlin. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    // Intl throws a RangeError for a name that it does not know.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Hours of some days of the week, in a time zone. */
export const hoursBody = z
  .strictObject({
    days: z
      .array(z.enum(weekdays))
      .min(1)
      .max(weekdays.length)
      .refine((days) => new Set(days).size === days.length, 'must name each day once'),
    from: timeOfDay,
    to: timeOfDay.meta({ description: 'Not included. When it is earlier than `from`, the hours go on past midnight' }),
    timeZone: z.string().max(64).refine(isTimeZone, 'must be a time zone such as Europe/Berlin'),
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'must differ from the start' });

export const guardsBody = z.strictObject({
  cooldownSeconds: seconds
    .optional()
    .meta({ description: 'Seconds for which the action set does not change a flag, or call a URL, again' }),
  quorum: z
    .strictObject({
      signals: z.number().int().min(1).max(1000),
      tokens: z.number().int().min(1).max(1000).default(1).meta({ description: 'Not more than signals' }),
      withinSeconds: seconds,
    })
    .refine(({ signals, tokens }) => tokens <= signals, { path: ['tokens'], error: 'must not be more than signals' })
    .optional()
    .meta({
      description: 'The number of matching signals, and of tokens that send them, required within the time window',
    }),
  flagsPerHour: z.number().int().min(1).max(10_000).optional().meta({
    description:
      'The maximum number of flags that the action set changes within an hour. 20 for a new action set whose `allow.flags` has `*`, unless another number is given. Without a number, the breaker of the instance applies',
  }),
  flapping: z
    .strictObject({ changes: z.number().int().min(1).max(1000), withinSeconds: seconds })
    .optional()
    .meta({ description: 'Skips a flag that actions of any set have changed this often within the time window' }),
  hours: hoursBody
    .optional()
    .meta({ description: 'The hours in which signals run the actions. Releases run at all times' }),
});
