import { badField } from '../../../kernel/errors.ts';
import { hidden } from '../../outbound/index.ts';
import type { Parameters } from './kind.ts';
import { findKind } from './registry.ts';

/** Parameters as they are shown: without secrets. */
export function shownParameters(action: string, params: Parameters): Parameters {
  const secret = secretsOf(action);
  return mapped(params, (name, value) => (secret.has(name) ? hidden : value));
}

/** Parameters as the event log keeps them, which more people read. */
export function recordedParameters(action: string, params: Parameters): Parameters {
  return findKind(action)?.outbound?.recorded(params) ?? params;
}

/** Parameters without the secrets that are not known. For sets that are only tried. */
export function withoutHidden(action: string, params: Parameters): Parameters {
  const secret = secretsOf(action);
  return Object.fromEntries(Object.entries(params).filter(([name, value]) => !(secret.has(name) && value === hidden)));
}

/**
 * Parameters with the secrets of `before` where `*****` stands for them. A 400 that names the field when there are none, or they would
 * go elsewhere.
 */
export function withSecretsOf(
  action: string,
  params: Parameters,
  before: Parameters | undefined,
  path: string,
): Parameters {
  const secret = secretsOf(action);
  return mapped(params, (name, value) => {
    if (!secret.has(name) || value !== hidden) return value;
    const kept = before?.[name];
    if (kept === undefined) throw badField(`${path}.${name}`, 'must be sent: there is nothing that ***** stands for');
    if (findKind(action)?.outbound?.keepsSecrets(before ?? {}, params) !== true)
      throw badField(`${path}.${name}`, 'must be sent again when the url leads to another host');
    return kept;
  });
}

function secretsOf(action: string): ReadonlySet<string> {
  const parameters = findKind(action)?.parameters ?? [];
  return new Set(parameters.filter(({ secret }) => secret === true).map(({ name }) => name));
}

function mapped(params: Parameters, change: (name: string, value: unknown) => unknown): Parameters {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, change(name, value)]));
}
