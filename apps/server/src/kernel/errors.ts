/**
 * HTTP statuses by error name. The names are part of the API: clients match on them (docs/spec#error-names).
 * docs/spec#error-body describes the body `{id, name, message, details?}`.
 */
export const errorStatus = {
  BadDataError: 400,
  BadRequestError: 400,
  OwaspValidationError: 400,
  PasswordPreviouslyUsedError: 400,
  ExceedsLimitError: 400,
  PatternError: 400,
  ArchivedFeatureError: 400,
  RoleInUseError: 400,
  MinimumOneEnvironmentError: 400,
  UnauthorizedError: 401,
  AuthenticationRequired: 401,
  InvalidTokenError: 401,
  PasswordMismatch: 401,
  PermissionError: 403,
  ForbiddenError: 403,
  OperationDeniedError: 403,
  InvalidOperationError: 403,
  IncompatibleProjectError: 403,
  UsedTokenError: 403,
  NotFoundError: 404,
  NotImplementedError: 405,
  RequestTimeoutError: 408,
  NameExistsError: 409,
  ConflictError: 409,
  ProjectWithoutOwnerError: 409,
  ContentTooLarge: 413,
  UriTooLongError: 414,
  ContentTypeError: 415,
  DisabledError: 422,
  IdempotencyKeyError: 422,
  RateLimitError: 429,
  HeadersTooLargeError: 431,
  InternalError: 500,
  BadGatewayError: 502,
  ServiceUnavailableError: 503,
  GatewayTimeoutError: 504,
} as const;

export type ErrorName = keyof typeof errorStatus;

/** The highest number of details in a problem, which bounds the size of the answer. */
export const maxDetails = 50;

/** One violation in a problem: the message and, if there is one, the path of the field. */
export interface ProblemDetail {
  readonly message: string;
  readonly path?: string;
  readonly [extra: string]: unknown;
}

export interface ProblemOptions {
  readonly details?: readonly ProblemDetail[];
  /** Further members of the body, such as `permissions` of a PermissionError. */
  readonly extras?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error for the caller. Any other error that is thrown answers 500, and its message appears only in the log. */
export class Problem extends Error {
  override readonly name: ErrorName;
  readonly status: number;
  readonly details: readonly ProblemDetail[] | undefined;
  readonly extras: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(name: ErrorName, message: string, options: ProblemOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = name;
    this.status = errorStatus[name];
    this.details = options.details;
    this.extras = options.extras ?? {};
    this.headers = options.headers ?? {};
  }
}

/** Runs `work`, and puts `path` before the paths of the fields that its `Problem` names. */
export async function atPath<T>(path: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { name, message, details, extras, headers } = error;
    throw new Problem(name, message, {
      details: (details ?? [{ message }]).map((detail) => ({
        ...detail,
        path: detail.path === undefined ? path : `${path}.${detail.path}`,
      })),
      extras,
      headers,
      cause: error,
    });
  }
}

/**
 * Returns a `BadDataError` about one field. `path` is dotted, without a leading dot. `message` continues the path:
 * "must be …".
 */
export function badField(path: string, message: string): Problem {
  return new Problem('BadDataError', `Request validation failed: ${path} ${message}`, {
    details: [{ message: `${path} ${message}`, path }],
  });
}
