import { z } from 'zod';
import type { EventType } from './event-types.ts';
import type { Permission } from './permissions.ts';
import { idParam } from './scalars.ts';
import { nameParam } from './text.ts';

/**
 * Who may call a route.
 * - `public`: anyone.
 * - `signed-in`: any authenticated caller of the admin API.
 * - `{permission}`: a caller with one of the permissions, in the project and environment that the path
 *   names with `:projectId` and `:environment`.
 * - `backend`, `frontend`, `replica`, `signal`: a request with a token of that kind; `sdk`: with a backend or frontend
 *   token.
 * - `stream`: a request with a short-lived stream token in its URL.
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'backend'
  | 'frontend'
  | 'sdk'
  | 'replica'
  | 'signal'
  | 'stream'
  | { readonly permission: Permission | readonly Permission[] };

/** The kind of an answer: JSON validated by a schema, a stream of JSON text, cached bytes of JSON, server-sent
 * events with JSON data, a media type that the request chooses, other text, or no body. */
export type Payload =
  | { readonly kind: 'json' | 'stream' | 'ready' | 'events'; readonly schema: z.ZodType }
  | { readonly kind: 'formats'; readonly schema: z.ZodType; readonly mediaTypes: readonly string[] }
  | { readonly kind: 'text'; readonly mediaType: string }
  | { readonly kind: 'empty' };

/** A permission that a call needs in certain cases. */
export interface Check {
  /** One of the permissions is enough. */
  readonly permission: Permission | readonly Permission[];
  /**
   * The cases in which the permission is needed. The documentation shows this phrase after the name of the permission.
   */
  readonly where: string;
}

export interface RouteSpec {
  readonly summary: string;
  readonly description?: string;
  /** The route that this second path stands for, and that clients should use. It has the same handler. */
  readonly aliasOf?: RouteKey;
  readonly tag: string;
  readonly access: Access;
  /** Permissions that the handler checks in addition to `access`, because they depend on more than the path. */
  readonly checks?: readonly Check[];
  /** Parts of the answer that are left out for callers without a permission. */
  readonly parts?: readonly Check[];
  /** Describes which callers the handler accepts, where this does not depend on permissions. */
  readonly only?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Whether numbers of the body that a double does not hold are read as `LongNumber`, with all of their digits. */
  readonly exactNumbers?: true;
  /**
   * The callers who may send a body over the ordinary limit, for routes that take many flags: callers with one of these
   * permissions in any project, or `signed-in` for every caller. Absent where the ordinary limit applies.
   */
  readonly largeBody?: 'signed-in' | readonly Permission[];
  /**
   * Whether the body is a report of an SDK: it may be larger than an ordinary body, and refused reports are logged and
   * counted, because SDKs drop them without a word.
   */
  readonly usageReport?: true;
  /** A signal's body is optional and kept as text; no other route needs this. */
  readonly rawBody?: { readonly optional: boolean; readonly mediaTypes: readonly string[] };
  readonly answers: Readonly<Record<number, Payload>>;
  /** Whether every value of the path parameters is valid, so that no 404 follows from them. */
  readonly anyName?: true;
  /** The 4xx and 5xx of this route, without those that follow from its access, checks, body and parameters. */
  readonly errors: readonly number[];
  /** Whether the route is open during maintenance, which refuses all other changes. Routes that read always are. */
  readonly duringMaintenance?: true;
  /** Whether answers contain a secret, in a field or a cookie, and must not be stored by caches. */
  readonly secrets?: true;
  /** The protocol whose fields are added to error bodies. */
  readonly refusals?: 'ofrep';
  /**
   * The event types that the route may record; empty for a route that only reads. Follow-up events are not listed:
   * those of change requests that are cancelled, suspended or approved because of the change, and those of holds on
   * flags that the route archives.
   */
  readonly emits: readonly EventType[];
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
export type RouteKey = `${Method} /${string}`;
export type RouteTable = Readonly<Record<RouteKey, RouteSpec>>;

/** The path parameters that are ids of rows. All others are names. */
const rowIds = [
  'id',
  'actionSetId',
  'changeId',
  'changeRequestId',
  'deliveryId',
  'groupId',
  'incidentId',
  'leaseId',
  'noteId',
  'roleId',
  'runId',
  'sessionId',
  'signalEndpointId',
  'subscriptionId',
  'tokenId',
  'userId',
] as const;
type RowId = (typeof rowIds)[number];
const isRowId = (name: string) => (rowIds as readonly string[]).includes(name);

/** The names of the parameters in a path. */
type ParameterOf<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The schema of the parameters of a route, by its key. */
type ParamsOf<Key> = z.ZodObject<{
  [Name in ParameterOf<Key>]: Name extends RowId ? typeof idParam : typeof nameParam;
}>;

function paramsOf(key: string): { readonly params?: z.ZodObject } {
  const names = [...key.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (names.length === 0) return {};
  return { params: z.object(Object.fromEntries(names.map((name) => [name, isRowId(name) ? idParam : nameParam]))) };
}

type Defaults = Pick<RouteSpec, 'tag' | 'errors'>;
type Change = Omit<RouteSpec, keyof Defaults> & Partial<Defaults>;
type Read = Omit<Change, 'emits'> & Partial<Pick<RouteSpec, 'emits'>>;
/** The rows of a table: a route that is not a GET says which events it records, even if there are none. */
type Rows = Readonly<Record<`GET /${string}`, Read>> & Readonly<Record<`${Exclude<Method, 'GET'>} /${string}`, Change>>;

/** A row with what its table and its path say. */
type Complete<Key, Row> = Row &
  Pick<RouteSpec, 'tag' | 'errors' | 'emits'> &
  (Row extends { readonly params: z.ZodObject } ? unknown : ParamsPart<Key>);
type ParamsPart<Key> = [ParameterOf<Key>] extends [never] ? unknown : { readonly params: ParamsOf<Key> };

/**
 * Checks the routes of one tag against {@link RouteSpec} and keeps their exact types, from which handlers are typed.
 * A route without `errors` has none of its own, and a GET without `emits` records nothing. A route without `params`
 * takes the parameters of its path: ids of rows, and names of at most 500 characters.
 *
 * @example
 * export const maintenanceRoutes = defineRoutes('Operations', {
 *   'GET /api/admin/maintenance': {
 *     summary: 'Get whether maintenance mode is on',
 *     access: { permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'] },
 *     answers: { 200: json(maintenance) },
 *   },
 * });
 */
export function defineRoutes<const T extends Rows>(tag: string, rows: T) {
  const specs = Object.entries(rows).map(([key, row]) => [
    key,
    { tag, errors: [], emits: [], ...paramsOf(key), ...row },
  ]);
  return Object.fromEntries(specs) as { readonly [Key in keyof T]: Complete<Key, T[Key]> };
}

export function json<S extends z.ZodType>(schema: S): { readonly kind: 'json'; readonly schema: S } {
  return { kind: 'json', schema };
}

/** Returns the answers of a route that answers 200 with a JSON object of these members. */
export function ok<S extends z.core.$ZodLooseShape>(members: S) {
  return { 200: json(z.object(members)) } as const;
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

/** Returns an answer that is available in several media types. `schema` describes the answer in the first one. */
export function formats<S extends z.ZodType>(schema: S, mediaTypes: readonly string[]) {
  return { kind: 'formats', schema, mediaTypes } as const;
}

export function text<M extends string>(mediaType: M): { readonly kind: 'text'; readonly mediaType: M } {
  return { kind: 'text', mediaType };
}

export const empty = { kind: 'empty' } as const;
