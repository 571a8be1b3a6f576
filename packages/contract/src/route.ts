import type { z } from 'zod';
import type { EventType } from './event-types.ts';
import type { Permission } from './permissions.ts';

/**
 * Who may call a route.
 * - `public`: anyone.
 * - `signed-in`: any caller of the administration API.
 * - `{permission}`: a caller holding one of the permissions, in the project and environment that the path
 *   names with `:projectId` and `:environment`.
 * - `backend`, `frontend`, `signal`: the bearer of a token of that kind; `sdk`: of one of the first two.
 * - `stream`: who has a URL with a short-lived token in it, which was made for the bearer of one of those two.
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'backend'
  | 'frontend'
  | 'sdk'
  | 'signal'
  | 'stream'
  | { readonly permission: Permission | readonly Permission[] };

/** How an answer travels: parsed and shaped JSON, a stream of JSON text, bytes made ready before, server-sent
 * events whose data is JSON, or nothing. */
export type Payload =
  | { readonly kind: 'json' | 'stream' | 'ready' | 'events'; readonly schema: z.ZodType }
  | { readonly kind: 'text'; readonly mediaType: string }
  | { readonly kind: 'empty' };

/** What a call needs, depending on what it is about. */
export interface Check {
  /** One of them is enough. */
  readonly permission: Permission | readonly Permission[];
  /** In words that follow the name of the permission. */
  readonly where: string;
}

export interface RouteSpec {
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly access: Access;
  /** What the handler asks for of those whom `access` lets in, because the path does not tell what the call is about. */
  readonly checks?: readonly Check[];
  /** Parts of the answer that are left out for callers without a permission. */
  readonly parts?: readonly Check[];
  /** Whom the handler lets of those, in words, where that is not a matter of permissions. */
  readonly only?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /**
   * Who may send a body beyond the limit of ordinary ones, for routes that take many flags at once: callers who hold one of these
   * permissions in some project, or `signed-in` for every caller. Absent where no larger body is taken.
   */
  readonly largeBody?: 'signed-in' | readonly Permission[];
  /** A signal's body is optional and kept as text; no other route needs this. */
  readonly rawBody?: { readonly optional: boolean; readonly mediaTypes: readonly string[] };
  readonly answers: Readonly<Record<number, Payload>>;
  /** 4xx statuses this route may answer besides those its access, body and parameters imply. */
  readonly errors: readonly number[];
  /** Whether its answers hold a secret, in a field or a cookie, so that nothing on the way may store them. */
  readonly secrets?: true;
  /** A protocol whose refusals hold members of its own, besides the usual ones. */
  readonly refusals?: 'ofrep';
  /**
   * Every event type the route may record; none for one that only reads. What becomes of change requests by it, which may be
   * cancelled, suspended or approved, and of holds on flags that it archives, is recorded besides.
   */
  readonly emits: readonly EventType[];
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type RouteKey = `${Method} /${string}`;
export type RouteTable = Readonly<Record<RouteKey, RouteSpec>>;

/** Checks a table against {@link RouteSpec} and keeps its exact type, from which handlers are typed. */
export function defineRoutes<const T extends RouteTable>(table: T): T {
  return table;
}

export function json<S extends z.ZodType>(schema: S): { readonly kind: 'json'; readonly schema: S } {
  return { kind: 'json', schema };
}

export function stream<S extends z.ZodType>(schema: S): { readonly kind: 'stream'; readonly schema: S } {
  return { kind: 'stream', schema };
}

export function ready<S extends z.ZodType>(schema: S): { readonly kind: 'ready'; readonly schema: S } {
  return { kind: 'ready', schema };
}

export function events<S extends z.ZodType>(schema: S): { readonly kind: 'events'; readonly schema: S } {
  return { kind: 'events', schema };
}

export function text<M extends string>(mediaType: M): { readonly kind: 'text'; readonly mediaType: M } {
  return { kind: 'text', mediaType };
}

export const empty = { kind: 'empty' } as const;
