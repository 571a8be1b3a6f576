import type { z } from 'zod';
import { Problem } from '../kernel/errors.ts';

/** Parses by the contract; a `BadDataError` with one detail for each violation. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.map((issue) => {
    const path = issue.path.map(String).join('.');
    return { message: path === '' ? issue.message : `${path}: ${issue.message}`, path };
  });
  throw new Problem('BadDataError', `The request is not valid: ${details[0]?.message ?? 'see details'}`, { details });
}
