import type { Problem } from '#kernel/errors.ts';

/**
 * Returns the fields that OFREP requires in an error besides the usual ones: an OpenFeature error code, and the flag if
 * any.
 */
export function ofrepRefusal({ status, name, message }: Problem, params: unknown): Record<string, string> {
  const { key } = params as { readonly key?: string };
  const errorCode =
    status === 404
      ? 'FLAG_NOT_FOUND'
      : name === 'BadDataError'
        ? 'INVALID_CONTEXT'
        : status === 400
          ? 'PARSE_ERROR'
          : 'GENERAL';
  return { ...(key === undefined ? {} : { key }), errorCode, errorDetails: message };
}
