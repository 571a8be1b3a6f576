import { type ErrorName, Problem } from '#kernel/errors.ts';

/** Returns the answer's body for a problem (docs/spec#error-body). */
export function problemBody(problem: Problem, requestId: string): Record<string, unknown> {
  return {
    id: requestId,
    name: problem.name,
    message: problem.message,
    ...(problem.details === undefined ? {} : { details: problem.details }),
    ...problem.extras,
  };
}

const nameOfStatus: Readonly<Record<number, ErrorName>> = {
  // The status of a path outside the directory of static files.
  403: 'NotFoundError',
  413: 'ContentTooLarge',
  414: 'UriTooLongError',
  415: 'ContentTypeError',
  431: 'HeadersTooLargeError',
};

interface FrameworkError {
  readonly code?: unknown;
  readonly statusCode?: unknown;
  readonly message?: unknown;
}

/**
 * Converts an error to a problem: a problem stays as it is, Fastify's errors about a request get their status, and
 * unexpected errors become an `InternalError` whose cause appears only in the log.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { code, statusCode, message } = error as FrameworkError;
  if (typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number' && statusCode < 500) {
    return new Problem(nameOfStatus[statusCode] ?? 'BadRequestError', String(message), { cause: error });
  }
  return new Problem(
    'InternalError',
    'An internal error occurred. An administrator can find the details in the log by the id of this answer.',
    { cause: error },
  );
}
