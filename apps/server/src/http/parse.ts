import type { z } from 'zod';
import { Problem } from '../kernel/errors.ts';

/** Parses by the contract; a `BadDataError` with one detail for each violation. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.flatMap(unfolded).map((issue) => {
    const path = issue.path.map(String).join('.');
    return { message: path === '' ? issue.message : `${path}: ${issue.message}`, path };
  });
  throw new Problem('BadDataError', `The request is not valid: ${details[0]?.message ?? 'see details'}`, { details });
}

/** Of a value that may have one of several shapes, what is wrong with it as the shape that it comes nearest to. */
function unfolded(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const depth = (issues: readonly z.core.$ZodIssue[]) => Math.min(...issues.map(({ path }) => path.length));
  const nearest = issue.errors.toSorted((a, b) => depth(b) - depth(a))[0];
  if (nearest === undefined || depth(nearest) === 0) return [issue];
  return nearest.flatMap((inner) => unfolded({ ...inner, path: [...issue.path, ...inner.path] }));
}
