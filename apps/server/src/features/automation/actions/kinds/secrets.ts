import { maskedSecret } from '#features/platform/outbound/index.ts';
import { badField } from '#kernel/errors.ts';
import type { Parameters } from './kind.ts';
import { findKind } from './registry.ts';

/** Returns the parameters with masked secrets. */
export function shownParameters(action: string, params: Parameters): Parameters {
  const secret = secretsOf(action);
  return mapParameters(params, (name, value) => (secret.has(name) ? maskedSecret : value));
}

/** Returns the parameters that events record. More users can read events than action sets. */
export function recordedParameters(action: string, params: Parameters): Parameters {
  return findKind(action)?.outbound?.recorded(params) ?? params;
}

/** Removes secrets that were sent as `*****`, because a draft has no stored values for them. */
export function withoutMaskedSecrets(action: string, params: Parameters): Parameters {
  const secret = secretsOf(action);
  return Object.fromEntries(
    Object.entries(params).filter(([name, value]) => !(secret.has(name) && value === maskedSecret)),
  );
}

/**
 * Restores the secrets of `before` where `*****` was sent. Throws a 400 that names the field when there is no stored
 * value, or when the secret would be sent to another host.
 */
export function restoreSecrets(
  action: string,
  params: Parameters,
  before: Parameters | undefined,
  path: string,
): Parameters {
  const secret = secretsOf(action);
  return mapParameters(params, (name, value) => {
    if (!secret.has(name) || value !== maskedSecret) return value;
    const stored = before?.[name];
    if (stored === undefined) throw badField(`${path}.${name}`, 'must be sent: there is no stored value for *****');
    if (findKind(action)?.outbound?.keepsSecrets(before ?? {}, params) !== true)
      throw badField(`${path}.${name}`, 'must be sent again when the url names another host');
    return stored;
  });
}

function secretsOf(action: string): ReadonlySet<string> {
  const parameters = findKind(action)?.parameters ?? [];
  return new Set(parameters.filter(({ secret }) => secret === true).map(({ name }) => name));
}

function mapParameters(params: Parameters, change: (name: string, value: unknown) => unknown): Parameters {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, change(name, value)]));
}
