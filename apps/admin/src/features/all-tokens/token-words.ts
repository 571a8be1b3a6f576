import type { AnyToken } from './all-token-queries.ts';

/** Returns the kind of a token in words. */
export function kindOf({ kind, scope }: AnyToken): string {
  if (kind === 'personal') return 'Personal access token';
  if (kind === 'service-account') return 'Service account token';
  return scope === null ? 'API token' : `API token (${scope.type})`;
}

/** Returns what a token gives access to: the account as which it acts, or projects and an environment. */
export function holderOf({ owner, scope }: AnyToken): string {
  if (owner !== null) return owner.name;
  if (scope === null) return '';
  const projects = scope.projects.includes('*') ? 'All projects' : scope.projects.join(', ');
  return `${projects} · ${scope.environment === '*' ? 'all environments' : scope.environment}`;
}
