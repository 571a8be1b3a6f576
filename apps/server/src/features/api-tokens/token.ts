import { isoTimeOrNull } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import type { NewEvent } from '../../storage/tx.ts';

/** `client` is what `backend` was called before: the same rights, shown as it was made. */
export type TokenType = 'admin' | 'client' | 'backend' | 'frontend';

/** What a token opens. `projects` is `['*']` for all of them. */
export interface TokenScope {
  readonly type: TokenType;
  readonly environment: string;
  readonly projects: readonly string[];
}

/** A token of a program, without its secret. */
export interface ApiToken extends TokenScope {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly seenAt: number | null;
}

/** What a token's text says of itself: `<project>:<environment>.<secret>` (docs/spec#api-tokens). Never echoes it. */
export function readSecret(secret: string): { project: string; environment: string } {
  const match = /^(\*|\[\]|[A-Za-z0-9_~.-]+):(\*|[A-Za-z0-9_~.-]+?)\.([^.].*)$/.exec(secret);
  if (match === null) throw new Problem('BadDataError', 'An API token must look like project:environment.secret.');
  return { project: match[1] as string, environment: match[2] as string };
}

/** How the text of a token with that scope begins: `[]` stands for several projects (docs/spec#api-tokens). */
export function secretPrefix({ projects, environment }: TokenScope): string {
  return `${projects.length === 1 ? projects[0] : '[]'}:${environment}.`;
}

/** The scope's projects in one text, as the API and the event log show them. */
export function projectOf({ projects }: TokenScope): string {
  return projects.join(',');
}

/** The part of a permission's name that says which tokens it is about; null when only ADMIN will do. */
export function permissionWord(type: TokenType): 'CLIENT' | 'FRONTEND' | null {
  if (type === 'admin') return null;
  return type === 'frontend' ? 'FRONTEND' : 'CLIENT';
}

/** What happened to a token, as the event log keeps it: its scope, and never its secret (docs/spec#event-types). */
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
  const { id, name, type, environment, projects, expiresAt } = token;
  return { id, tokenName: name, type, environment, projects, expiresAt: isoTimeOrNull(expiresAt) };
}
