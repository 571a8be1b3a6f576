import { z } from 'zod';
import { columnOf, type FieldRow } from './field-table.ts';
import { plainText } from './text.ts';

export const featureTypeIds = ['release', 'experiment', 'operational', 'kill-switch', 'permission', 'sunset'] as const;

/**
 * The fields of a flag that people set. Requests, answers, events, state files, exports, imports and comparisons derive
 * from this table. A change records `feature-metadata-updated`, except of `stale`, which has events of its own. The
 * columns are in the server's `feature/store.ts`.
 */
export const flagFields = {
  type: {
    input: z.enum(featureTypeIds).meta({ description: 'The intended use of the flag' }),
    value: z.enum(featureTypeIds),
    initial: 'release',
  },
  description: {
    input: plainText(4000).nullable().meta({ description: 'Free text' }),
    value: z.string().nullable(),
    initial: null,
  },
  impressionData: {
    input: z.boolean().meta({ description: 'SDKs emit an event for each evaluation' }),
    value: z.boolean(),
    initial: false,
  },
  stale: {
    input: z.boolean().meta({ description: 'The flag is no longer needed and can be removed from the code' }),
    value: z.boolean(),
    initial: false,
  },
} as const satisfies Record<string, FieldRow>;

/** All fields in a request. */
export const wholeFlagInput = z.object(columnOf(flagFields, 'input'));

/** The fields in a request or a file. Absent fields keep their values, or are initial. */
export const flagInput = wholeFlagInput.partial();

/** The fields in answers, exports and events. */
export const flagValues = z.object(columnOf(flagFields, 'value'));

export type FlagFields = z.output<typeof flagValues>;
export type FlagInput = z.output<typeof flagInput>;

/** The fields of a new flag. */
export const initialFlag: FlagFields = columnOf(flagFields, 'initial');
