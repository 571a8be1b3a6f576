import { z } from 'zod';

const parameterSchema = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string().optional(),
  type: z.enum(['select', 'hidden', 'text', 'number']),
  optional: z.boolean(),
  options: z.array(z.string()).optional(),
  optionLabels: z.record(z.string(), z.string()).optional().meta({ description: 'What the options mean' }),
  secret: z.boolean().optional().meta({ description: 'Shown as `*****`. Sending `*****` back keeps the stored value' }),
});

/** A kind of action, with the parameters that its form asks for. */
export const definitionSchema = z.object({
  label: z.string(),
  description: z.string(),
  category: z.string(),
  permissions: z.array(z.string()),
  parameters: z.array(parameterSchema),
});
