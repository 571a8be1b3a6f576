import { z } from 'zod';
import { constraintBody, constraintSchema } from './constraints.ts';
import { columnOf, type FieldRow } from './field-table.ts';
import { id } from './scalars.ts';
import { filledText, plainText, sortOrder } from './text.ts';
import { strategyVariantSchema, strategyVariantValues } from './variant-fields.ts';

const longText = 100_000;

/** A number that keeps its digits as text. */
const shortNumber = z
  .number()
  .refine(
    (value) => !Number.isInteger(value) || Number.isSafeInteger(value),
    'has more digits than a JSON number keeps: send it as text',
  );

/** Strategy parameters. SDKs read them as text, so numbers and booleans are converted. */
const strategyParameters = z.record(
  filledText(255),
  z.union([plainText(longText), shortNumber.transform(String), z.boolean().transform(String)]),
);

/**
 * The fields of a strategy. Requests, changes of change requests, milestones, answers, events, state files, exports,
 * imports and comparisons derive from this table. The columns are in the server's `strategies/store.ts`.
 */
export const strategyFields = {
  name: {
    input: filledText(100).meta({ description: 'The strategy type, such as flexibleRollout' }),
    value: z.string(),
    initial: '',
  },
  title: {
    input: plainText(500).nullable().meta({ description: 'Free text' }),
    value: z.string().nullable(),
    initial: null,
  },
  disabled: {
    input: z.boolean().nullable().meta({ description: 'A disabled strategy is kept and has no effect' }),
    value: z.boolean(),
    initial: false,
  },
  sortOrder: { input: sortOrder, value: z.number().int(), initial: 0 },
  parameters: {
    input: strategyParameters.meta({
      description: 'Parameters of the strategy type, such as rollout, stickiness and groupId of flexibleRollout',
    }),
    value: z.record(z.string(), z.string()),
    initial: {},
  },
  constraints: {
    input: z.array(constraintBody).meta({ description: 'All constraints must be met' }),
    value: z.array(constraintSchema),
    initial: [],
  },
  variants: {
    input: z.array(strategyVariantSchema).meta({ description: 'Variants for users who get the flag by this strategy' }),
    value: z.array(strategyVariantValues),
    initial: [],
  },
  segments: { input: z.array(id).max(1000), value: z.array(z.number().int()), initial: [] },
} as const satisfies Record<string, FieldRow>;

/** The fields in a request or a file. Absent fields keep their values, or are initial. */
export const strategyInput = z.object(columnOf(strategyFields, 'input')).partial();

/** The fields in answers, exports and events. */
export const strategyValues = z.object(columnOf(strategyFields, 'value'));

export type StrategyInput = z.output<typeof strategyInput>;
export type StrategyValues = z.output<typeof strategyValues>;

/** The fields of a new strategy. */
export const initialStrategy = columnOf(strategyFields, 'initial');
