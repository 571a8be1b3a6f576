import { type ErrorName, Problem } from '../kernel/errors.ts';

/** The body that explains a problem (docs/spec#error-body). */
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
  // A path that leads out of the files that are served.
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
 * The problem that an error is: itself, one of the framework's complaints about the request, or, for all that
 * nobody foresaw, an `InternalError` whose cause shows only in the log.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { code, statusCode, message } = error as FrameworkError;
  if (typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number' && statusCode < 500) {
    return new Problem(nameOfStatus[statusCode] ?? 'BadRequestError', String(message), { cause: error });
  }
  return new Problem('InternalError', 'Something went wrong here. The log has more under this id.', { cause: error });
}
