import type { apiTokenTypes } from '@yardarm/contract';
import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import { itemAt } from '#kernel/lists.ts';
import type { NewEvent } from '#storage/tx.ts';

/** The type of an API token. `client` has the rights of `backend`, and is shown as it was created. */
export type TokenType = (typeof apiTokenTypes)[number];

/** The scope of a token. `projects` is `['*']` for all projects. */
export interface TokenScope {
  readonly type: TokenType;
  readonly environment: string;
  readonly projects: readonly string[];
}

/** An API token without its secret. */
export interface ApiToken extends TokenScope {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly seenAt: number | null;
}

/**
 * Parses a token of the form `<project>:<environment>.<secret>` (docs/spec#api-tokens). Rejects with 400 when it has
 * another form; the error does not contain the token.
 */
export function readSecret(secret: string): { project: string; environment: string } {
  const match = /^(\*|\[\]|[A-Za-z0-9_~.-]+):(\*|[A-Za-z0-9_~.-]+?)\.([^.].*)$/.exec(secret);
  if (match === null) throw new Problem('BadDataError', 'An API token must look like project:environment.secret.');
  return { project: itemAt(match, 1), environment: itemAt(match, 2) };
}

/** Returns the prefix of a token with a scope. `[]` stands for several projects (docs/spec#api-tokens). */
export function secretPrefix({ projects, environment }: TokenScope): string {
  return `${projects.length === 1 ? projects[0] : '[]'}:${environment}.`;
}

/** Returns the projects of a scope as one string, as the API and events show them. */
export function projectOf({ projects }: TokenScope): string {
  return projects.join(',');
}

interface TokenKind {
  /** The word in the names of the permissions to manage such tokens; null for those that need ADMIN. */
  readonly permission: 'CLIENT' | 'FRONTEND' | null;
  /** The kind of SDK that uses such tokens; null for those that open other routes. */
  readonly sdk: 'backend' | 'frontend' | null;
  /** The type as Unleash Edge knows it; null for those that Edge cannot use. */
  readonly edge: 'client' | 'frontend' | 'admin' | null;
}

/** The rules of each type of token. A new type does not compile without a row here. */
export const tokenKinds = {
  admin: { permission: null, sdk: null, edge: 'admin' },
  client: { permission: 'CLIENT', sdk: 'backend', edge: 'client' },
  backend: { permission: 'CLIENT', sdk: 'backend', edge: 'client' },
  frontend: { permission: 'FRONTEND', sdk: 'frontend', edge: 'frontend' },
  replica: { permission: null, sdk: null, edge: null },
} as const satisfies Record<TokenType, TokenKind>;

/** The types of the tokens of SDKs. */
export const sdkTokenTypes = Object.entries(tokenKinds).flatMap(([type, { sdk }]) =>
  sdk === null ? [] : (type as TokenType),
);

/** Returns the event for the creation, change or deletion of a token, without its secret (docs/spec#event-types). */
export function tokenEvent(before: ApiToken | null, after: ApiToken | null): NewEvent {
  const token = (after ?? before) as ApiToken;
  const verb = before === null ? 'created' : after === null ? 'deleted' : 'updated';
  return {
    type: `api-token-${verb}`,
    project: projectOf(token),
    environment: token.environment,
    ...(before === null ? {} : { preData: tokenEventData(before) }),
    ...(after === null ? {} : { data: tokenEventData(after) }),
  };
}

function tokenEventData(token: ApiToken): Record<string, unknown> {
  const { id, name, type, environment, projects, createdAt, expiresAt } = token;
  const dates = { createdAt: isoTime(createdAt), expiresAt: isoTimeOrNull(expiresAt) };
  return { id, tokenName: name, type, environment, project: projectOf(token), projects, ...dates };
}
