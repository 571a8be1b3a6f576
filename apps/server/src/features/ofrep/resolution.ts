import type { CompiledFlag, Evaluation, Payload } from '@yardarm/evaluation';

/** The evaluation of one flag in OFREP's format. */
export interface Resolution {
  readonly key: string;
  readonly reason: 'STATIC' | 'TARGETING_MATCH' | 'SPLIT' | 'DEFAULT' | 'DISABLED';
  /** Missing when the caller should use the default in its code. */
  readonly value?: unknown;
  readonly variant?: string;
  readonly metadata: Readonly<Record<string, boolean>>;
}

/** A variant's payload does not parse as its type. */
export class BadPayload extends Error {}

/**
 * Converts an evaluation to OpenFeature's terms. The value is the payload of the variant, converted to its type.
 * Without a payload it is whether the flag is on; but when other variants of the flag have payloads, the value is
 * missing, because a boolean would be of the wrong type. Throws {@link BadPayload} when the payload does not parse.
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
      throw new BadPayload('The payload of the variant is not a number. Correct the payload or its type.');
    return number;
  }
  if (type !== 'json') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new BadPayload('The payload of the variant is not valid JSON. Correct the payload or its type.');
  }
}
