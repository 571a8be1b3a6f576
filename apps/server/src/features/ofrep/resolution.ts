import type { CompiledFlag, Evaluation, Payload } from '@yardarm/evaluation';

/** What OFREP tells of one flag. */
export interface Resolution {
  readonly key: string;
  readonly reason: 'STATIC' | 'TARGETING_MATCH' | 'SPLIT' | 'DEFAULT' | 'DISABLED';
  /** Absent where the default in the caller's code is to hold. */
  readonly value?: unknown;
  readonly variant?: string;
  readonly metadata: Readonly<Record<string, boolean>>;
}

/** A payload that is not what it says it is. */
export class BadPayload extends Error {}

/**
 * Puts an evaluation into OpenFeature's terms. The value is the payload of the variant, in the type it says it is of; else,
 * where some variant has a payload, it is left to the caller, since a truth value would be of another type; else whether
 * the flag is on. Throws a {@link BadPayload}.
 */
export function resolve(flag: CompiledFlag, { enabled, variant }: Evaluation): Resolution {
  const { payload } = variant;
  const value = payload === undefined ? (flag.hasPayloads ? undefined : enabled) : typedValue(payload);
  return {
    key: flag.name,
    reason: reasonOf(flag, enabled, variant.enabled),
    ...(value === undefined ? {} : { value }),
    ...(variant.enabled ? { variant: variant.name } : {}),
    metadata: { enabled, impressionData: flag.impressionData },
  };
}

function reasonOf(flag: CompiledFlag, enabled: boolean, hasVariant: boolean): Resolution['reason'] {
  if (!flag.enabled) return 'DISABLED';
  if (!enabled) return 'DEFAULT';
  if (hasVariant) return 'SPLIT';
  return flag.strategies.length === 0 ? 'STATIC' : 'TARGETING_MATCH';
}

function typedValue({ type, value }: Payload): unknown {
  if (type === 'number') {
    const number = Number(value);
    if (value.trim() === '' || !Number.isFinite(number))
      throw new BadPayload('The payload of the variant is no number.');
    return number;
  }
  if (type !== 'json') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new BadPayload('The payload of the variant is no JSON.');
  }
}
