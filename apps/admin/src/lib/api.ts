import type { Routes } from '@yardarm/contract';
import { breakGlassHeader } from '@yardarm/contract/permissions';
import type { z } from 'zod';

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

/** What a call of the route is given. */
export type Input<K extends RouteKey> = Needed<K, 'params'> & Needed<K, 'query'> & Needed<K, 'body'>;

type Success = 200 | 201 | 202 | 204;

type AnswerOf<P> = P extends { readonly kind: 'json' | 'stream' | 'ready'; readonly schema: infer S extends z.ZodType }
  ? z.output<S>
  : P extends { readonly kind: 'text' }
    ? string
    : undefined;

/** What the route answers when it succeeds. */
export type Answer<K extends RouteKey> = {
  [Status in keyof Routes[K]['answers'] & Success]: AnswerOf<Routes[K]['answers'][Status]>;
}[keyof Routes[K]['answers'] & Success];

/** How somebody can log in. */
export interface LoginWays {
  readonly passwords: boolean;
  /** Those that lead elsewhere: what to call each, and the address that it begins at. */
  readonly others: readonly { readonly type: string; readonly message: string; readonly path: string }[];
}

/** What a refusal may say; what stands in between may answer in its own way, with none of it. */
type ProblemBody = Partial<{
  name: string;
  message: string;
  details: ApiError['details'];
  defaultHidden: boolean;
  options: LoginWays['others'];
  breakGlass: boolean;
}>;

/** A refusal, as the server words it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The error's name in the contract, such as `BadDataError`. */
  readonly kind: string;
  /** What is wrong with which part of what was sent. */
  readonly details: readonly { readonly message: string; readonly path?: string | undefined }[];
  /** The ways to log in, where that is what is missing. */
  readonly logins: LoginWays;
  /** Whether what is refused for want of a review goes through with a reason. */
  readonly mayBreakGlass: boolean;

  constructor(status: number, body: ProblemBody) {
    super(body.message ?? `The server answered ${status}.`);
    this.status = status;
    this.logins = { passwords: body.defaultHidden !== true, others: body.options ?? [] };
    this.mayBreakGlass = body.breakGlass === true;
    this.kind = body.name ?? 'UnknownError';
    this.details = body.details ?? [];
  }
}

let onSignedOut: (ways: LoginWays) => void = () => undefined;

/** Sets who is told, with the ways to log in, when the server no longer knows who is calling. */
export function whenSignedOut(listener: (ways: LoginWays) => void): void {
  onSignedOut = listener;
}

/** Asks whether a change that is refused for want of a review is to be made all the same; resolves to the reason for it. */
type AskReason = () => Promise<string | undefined>;

let askReason: AskReason = async () => undefined;

/** Sets who is asked when a change is refused because it needs review and the caller may break glass. */
export function whenReviewRefuses(ask: AskReason): void {
  askReason = ask;
}

/**
 * Calls a route of the contract; what it takes and answers follows from the route. Rejects with an {@link ApiError} for a
 * refusal, and with a `TypeError` when the server cannot be reached.
 */
export async function api<K extends RouteKey>(
  route: K,
  ...[input]: Record<never, never> extends Input<K> ? [input?: Input<K>] : [input: Input<K>]
): Promise<Answer<K>> {
  const given = input as AnyInput | undefined;
  try {
    return (await send(route, given)) as Answer<K>;
  } catch (error) {
    if (!(error instanceof ApiError) || !error.mayBreakGlass) throw error;
    const reason = await askReason();
    if (reason === undefined) throw error;
    const headers = { [breakGlassHeader]: encodeURIComponent(reason) };
    return (await send(route, given, headers)) as Answer<K>;
  }
}

async function send(
  route: RouteKey,
  input: AnyInput | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const request = requestOf(route, input);
  const response = await fetch(urlOf(route, input), { ...request, headers: { ...request.headers, ...headers } });
  const text = await response.text();
  if (response.ok) return parse(response, text);
  const error = new ApiError(response.status, asProblem(response, text));
  // A wrong current password is a 401 too, of somebody who is signed in, and so is a login that is refused.
  if (error.status === 401 && error.kind !== 'PasswordMismatch' && !route.includes(' /auth/'))
    onSignedOut(error.logins);
  throw error;
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** The address of a route, below the path that the page itself is at. */
export function urlOf(route: RouteKey, input: AnyInput = {}): string {
  const path = route
    .slice(route.indexOf('/') + 1)
    .replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(input.params?.[name] ?? '')));
  const url = new URL(path, document.baseURI);
  for (const [name, value] of Object.entries(input.query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== '') url.searchParams.append(name, String(one));
  }
  return url.href;
}

function requestOf(route: RouteKey, input: AnyInput = {}) {
  const method = route.slice(0, route.indexOf(' '));
  // Most routes that change something want the type also where there is nothing to send.
  const type = method === 'GET' || method === 'DELETE' ? {} : { 'content-type': 'application/json' };
  return {
    method,
    credentials: 'same-origin' as const,
    headers: { accept: 'application/json', ...type },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  };
}

function parse(response: Response, text: string): unknown {
  if (text === '') return undefined;
  return response.headers.get('content-type')?.includes('json') ? (JSON.parse(text) as unknown) : text;
}

/** The body of a refusal; something in between may answer in a form of its own. */
function asProblem(response: Response, text: string): object {
  if (!response.headers.get('content-type')?.includes('json')) return {};
  try {
    return JSON.parse(text) as object;
  } catch {
    return { message: text };
  }
}
