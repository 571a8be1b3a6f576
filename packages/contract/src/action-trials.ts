import { z } from 'zod';
import { anyJson, dateTime } from './scalars.ts';

/** The runs that an unsaved action set would have made. */
export const backtestSchema = z.object({
  signals: z.number().int(),
  runs: z.number().int(),
  truncated: z.boolean(),
  matches: z.array(
    z.object({
      signalId: z.number().int(),
      createdAt: dateTime,
      element: z.number().int().nullable(),
      actions: z.array(
        z.object({
          action: z.string(),
          executionParams: z.record(z.string(), anyJson),
          problem: z.string().nullable(),
        }),
      ),
    }),
  ),
});

/** The signals that filters match. */
export const matchPreviewSchema = z.object({
  since: dateTime,
  signals: z.number().int().meta({ description: 'The signals that were read, the newest first' }),
  elements: z.number().int().meta({ description: 'Their elements, or the signals themselves without `forEach`' }),
  matches: z.number().int(),
  ended: z.number().int().meta({ description: 'The matches that report the end of an alert' }),
  truncated: z.boolean().meta({ description: 'Whether older signals were left out' }),
  examples: z
    .array(
      z.object({
        signalId: z.number().int(),
        createdAt: dateTime,
        element: z.number().int().nullable(),
        title: z.string().nullable(),
      }),
    )
    .meta({ description: 'The newest matches; 5 at most' }),
});
