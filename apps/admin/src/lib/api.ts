import type { Routes } from '@yardarm/contract';
import { parseExactJson } from '@yardarm/contract/long-number';
import { backgroundHeader, breakGlassHeader, changeReasonHeader } from '@yardarm/contract/permissions';
import type { z } from 'zod';
import { isPresent } from './presence.ts';
import { noteServerTime } from './server-time.ts';

/** The key of a route of the contract, such as `GET /api/admin/projects`. */
export type RouteKey = keyof Routes;

type Part<K extends RouteKey, P extends 'params' | 'query' | 'body'> = Routes[K] extends {
  readonly [_ in P]: infer S extends z.ZodType;
}
  ? z.input<S>
  : never;

type Needed<K extends RouteKey, P extends 'params' | 'query' | 'body'> = [Part<K, P>] extends [never]
  ? { readonly [_ in P]?: undefined }
  : P extends 'params'
    ? { readonly [_ in P]: { readonly [Name in keyof Part<K, P>]: string | number } }
    : P extends 'query'
      ? { readonly [_ in P]?: Part<K, P> }
      : undefined extends Part<K, P>
        ? { readonly [_ in P]?: Part<K, P> }
        : { readonly [_ in P]: Part<K, P> };

/** The input of a call: params, query and body, the reason for the change, and a signal that ends the request. */
export type Input<K extends RouteKey> = Needed<K, 'params'> &
  Needed<K, 'query'> &
  Needed<K, 'body'> & { readonly reason?: string | undefined; readonly signal?: AbortSignal };

type Success = 200 | 201 | 202 | 204;

type AnswerOf<P> = P extends {
  readonly kind: 'json' | 'stream' | 'ready' | 'formats';
  readonly schema: infer S extends z.ZodType;
}
  ? z.output<S>
  : P extends { readonly kind: 'text' }
    ? string
    : undefined;

/** The answer of the route on success. */
export type Answer<K extends RouteKey> = {
  [Status in keyof Routes[K]['answers'] & Success]: AnswerOf<Routes[K]['answers'][Status]>;
}[keyof Routes[K]['answers'] & Success];

/** The login methods that the server offers. */
export interface LoginMethods {
  readonly passwords: boolean;
  /** Whether a user who forgot the password can ask for a link by e-mail. */
  readonly passwordResetByEmail: boolean;
  /** Methods that redirect to a provider: their label and the path that starts the login. */
  readonly others: readonly { readonly type: string; readonly message: string; readonly path: string }[];
}

/** The body of an error. A proxy may answer in another form, so every field is optional. */
type ProblemBody = Partial<{
  name: string;
  message: string;
  details: ApiError['details'];
  defaultHidden: boolean;
  options: LoginMethods['others'];
  passwordResetByEmail: boolean;
  breakGlass: boolean;
  changeReason: { readonly pattern: string | null };
}>;

/** An error answer of the server. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The error's name in the contract, such as `BadDataError`. */
  readonly kind: string;
  /** The errors of single fields, by path. */
  readonly details: readonly { readonly message: string; readonly path?: string | undefined }[];
  /** The login methods, which a 401 answer contains. */
  readonly logins: LoginMethods;
  /** Whether a change that needs review can be made with a break-glass reason. */
  readonly mayBreakGlass: boolean;
  /** The rule of the project, in the error that the change needs a reason; undefined in other errors. */
  readonly reasonRule: { readonly pattern: string | null } | undefined;

  constructor(status: number, body: ProblemBody) {
    super(body.message ?? `The server answered ${status}.`);
    this.status = status;
    this.logins = {
      passwords: body.defaultHidden !== true,
      passwordResetByEmail: body.passwordResetByEmail === true,
      others: body.options ?? [],
    };
    this.mayBreakGlass = body.breakGlass === true;
    this.reasonRule = body.changeReason;
    this.kind = body.name ?? 'UnknownError';
    this.details = body.details ?? [];
  }
}

let signedOutListener: (ways: LoginMethods) => void = () => undefined;

/** Sets the listener that is called when the session has ended. */
export function onSignedOut(listener: (ways: LoginMethods) => void): void {
  signedOutListener = listener;
}

let logins = 0;

/**
 * Notes that the user has logged in. A 401 answer to a request that was sent before then does not end the new session.
 */
export function noteLogin(): void {
  logins += 1;
}

/** The question for a reason: to break glass, or because the project requires a reason. */
export interface ReasonQuestion {
  readonly kind: 'break-glass' | 'change-reason';
  /** The message of the error of the server. */
  readonly message: string;
  /** A regular expression that the reason has to match, anywhere in the text; null for none. */
  readonly pattern: string | null;
  /** The reason that the server refused; undefined when there was none. */
  readonly reason: string | undefined;
}

/**
 * The time that a GET request may take, in milliseconds. Without a limit, requests on a dead connection would hang for
 * minutes. A browser has six connections to a server, so none would be left to find out that the server is reachable
 * again.
 */
const readMs = 30_000;

/** Asks the user for a reason; resolves to undefined when the user declines. */
type AskReason = (question: ReasonQuestion) => Promise<string | undefined>;

let askReason: AskReason = async () => undefined;

/** Sets the function that asks for a reason when a change is refused without one. */
export function onReasonRequired(ask: AskReason): void {
  askReason = ask;
}

/**
 * Calls a route of the contract. Rejects with an {@link ApiError} for an error answer, and with a `TypeError` when the
 * server is unreachable or does not answer a read in time.
 */
export async function api<K extends RouteKey>(
  route: K,
  ...[input]: Record<never, never> extends Input<K> ? [input?: Input<K>] : [input: Input<K>]
): Promise<Answer<K>> {
  const given = input as AnyInput | undefined;
  let reasons: Reasons = given?.reason?.trim() ? { change: given.reason.trim() } : {};
  for (;;) {
    try {
      return (await send(route, given, headersOf(reasons))) as Answer<K>;
    } catch (error) {
      const question = questionOf(error, reasons);
      const reason = question && (await askReason(question));
      if (reason === undefined) throw error;
      reasons = { ...reasons, [question?.kind === 'break-glass' ? 'breakGlass' : 'change']: reason };
    }
  }
}

/** The reasons that are sent with a call. */
interface Reasons {
  readonly breakGlass?: string;
  readonly change?: string;
}

/** Returns the question for the reason with which the server may accept the call; undefined for other errors. */
function questionOf(error: unknown, { breakGlass, change }: Reasons): ReasonQuestion | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { message, reasonRule } = error;
  if (error.mayBreakGlass && breakGlass === undefined)
    return { kind: 'break-glass', message, pattern: null, reason: undefined };
  if (reasonRule === undefined) return undefined;
  return { kind: 'change-reason', message, pattern: reasonRule.pattern, reason: change ?? breakGlass };
}

function headersOf({ breakGlass, change }: Reasons): Readonly<Record<string, string>> {
  return {
    ...(breakGlass === undefined ? {} : { [breakGlassHeader]: encodeURIComponent(breakGlass) }),
    ...(change === undefined ? {} : { [changeReasonHeader]: encodeURIComponent(change) }),
  };
}

async function send(
  route: RouteKey,
  input: AnyInput | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const request = requestOf(route, input);
  const loginsBefore = logins;
  const { response, text } = await answerTo(urlOf(route, input), {
    ...request,
    headers: { ...request.headers, ...headers },
    // A change has no time limit: without the answer, the user could not know whether the change was made.
    signal: input?.signal ?? (request.method === 'GET' ? AbortSignal.timeout(readMs) : null),
  });
  if (response.ok) return parse(response, text);
  const error = new ApiError(response.status, asProblem(response, text));
  // A wrong current password and a failed login answer 401 too, and do not end the session.
  const endsSession = error.status === 401 && error.kind !== 'PasswordMismatch' && !route.includes(' /auth/');
  if (endsSession && logins === loginsBefore) signedOutListener(error.logins);
  throw error;
}

async function answerTo(url: string, request: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const sentAt = Date.now();
    const response = await fetch(url, request);
    noteServerTime(response.headers.get('date'), sentAt);
    return { response, text: await response.text() };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw new TypeError('The server did not answer in time', { cause: error });
    throw error;
  }
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly reason?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Returns the URL of a route, relative to the base path of the page. */
export function urlOf(route: RouteKey, input: AnyInput = {}): string {
  const path = route
    .slice(route.indexOf('/') + 1)
    .replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(input.params?.[name] ?? '')));
  const url = new URL(path, document.baseURI);
  for (const [name, value] of Object.entries(input.query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== '') url.searchParams.append(name, String(item));
  }
  return url.href;
}

function requestOf(route: RouteKey, input: AnyInput = {}) {
  const method = route.slice(0, route.indexOf(' '));
  // Most routes that write require the content type even without a body.
  const type = method === 'GET' || method === 'DELETE' ? {} : { 'content-type': 'application/json' };
  return {
    method,
    credentials: 'same-origin' as const,
    headers: { accept: 'application/json', ...type, ...(isPresent() ? {} : { [backgroundHeader]: 'true' }) },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  };
}

function parse(response: Response, text: string): unknown {
  if (text === '') return undefined;
  return response.headers.get('content-type')?.includes('json') ? parseExactJson(text) : text;
}

/** Parses the body of an error. A proxy may answer something other than JSON. */
function asProblem(response: Response, text: string): object {
  if (!response.headers.get('content-type')?.includes('json')) return {};
  try {
    return JSON.parse(text) as object;
  } catch {
    return { message: text };
  }
}
