import type { JsonBounds, RouteSpec } from '@yardarm/contract';
import type { z } from 'zod';
import { maxDetails, Problem } from '#kernel/errors.ts';
import { decodeUtf8, parseJson } from './body.ts';

/** Parses and validates the body of a route. Throws a 400 when the body is not UTF-8, not JSON or not valid. */
export function parseRouteBody({ body: schema, exactNumbers }: RouteSpec, body: Buffer, bounds?: JsonBounds): unknown {
  return parse(schema as z.ZodType, parseJson(decodeUtf8(body), bounds, exactNumbers));
}

/**
 * Validates a value against a schema of the contract. Throws a `BadDataError` with details of the first 50 violations.
 */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { issues } = result.error;
  const details = issues
    .slice(0, maxDetails)
    .flatMap(unfolded)
    .slice(0, maxDetails)
    .map((issue) => {
      const path = issue.path.map(String).join('.');
      return { message: path === '' ? issue.message : `${path}: ${issue.message}`, path };
    });
  const more = issues.length > maxDetails ? ` (the first ${maxDetails} of ${issues.length} violations are listed)` : '';
  throw new Problem('BadDataError', `The request is not valid: ${details[0]?.message ?? 'see details'}${more}`, {
    details,
  });
}

/**
 * Replaces the issue of a union by the issues of the option that matches the value best. Names all options when the
 * value has the type of none, unless the union has a text of its own.
 */
function unfolded(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const depth = (issues: readonly z.core.$ZodIssue[]) => Math.min(...issues.map(({ path }) => path.length));
  // An option has the right type when only custom checks failed.
  const typed = issue.errors.find((issues) => issues.every(({ code }) => code === 'custom'));
  const nearest = typed ?? issue.errors.toSorted((a, b) => depth(b) - depth(a))[0];
  if (nearest === undefined || (typed === undefined && depth(nearest) === 0))
    return [issue.message === 'Invalid input' ? { ...issue, message: expectedOf(issue) } : issue];
  return nearest.flatMap((inner) => unfolded({ ...inner, path: [...issue.path, ...inner.path] }));
}

function expectedOf(issue: z.core.$ZodIssueInvalidUnion): string {
  const options = issue.errors.flat().flatMap((inner) => {
    if (inner.code === 'invalid_value') return inner.values.map((value) => JSON.stringify(value));
    return inner.code === 'invalid_type' ? inner.expected : [];
  });
  return options.length === 0 ? issue.message : `Invalid input: expected ${[...new Set(options)].join(' or ')}`;
}
