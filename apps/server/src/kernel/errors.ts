/**
 * Every error the service answers with, name to HTTP status. The names are API: clients match on them
 * (docs/spec#error-names). The body shape `{id, name, message, details?}` is docs/spec#error-body.
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
  RateLimitError: 429,
  HeadersTooLargeError: 431,
  InternalError: 500,
  BadGatewayError: 502,
  ServiceUnavailableError: 503,
  GatewayTimeoutError: 504,
} as const;

export type ErrorName = keyof typeof errorStatus;

/** Details that a problem lists at most, so that an answer stays small however much is wrong with a request. */
export const maxDetails = 50;

/** One violation inside a problem: what is wrong and, where it has one, the path of the field. */
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

/** An error meant for the caller. Anything else that is thrown answers 500 and shows only in the log. */
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

/** A `BadDataError` about one field; `path` is dotted, without a leading dot. */
export function badField(path: string, message: string): Problem {
  return new Problem('BadDataError', `Request validation failed: ${path} ${message}`, {
    details: [{ message: `${path} ${message}`, path }],
  });
}
