import { LongNumber, parseExactJson } from '@yardarm/contract';
import type { CompiledFlag, Evaluation, Payload } from '@yardarm/evaluation';

/** A reason of OFREP's list; its `UNKNOWN` is not needed. */
type Reason = 'STATIC' | 'TARGETING_MATCH' | 'SPLIT' | 'DISABLED';

/** The evaluation of one flag in OFREP's format. */
export interface Resolution {
  readonly key: string;
  readonly reason: Reason;
  /** Missing when the caller should use the default in its code. */
  readonly value?: unknown;
  /** Providers require it: that of Python 0.3.0 fails without. `enabled` or `disabled` for a flag without variant. */
  readonly variant: string;
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
    variant: variant.enabled ? variant.name : enabled ? 'enabled' : 'disabled',
    metadata: { enabled, impressionData: flag.impressionData },
  };
}

/** `TARGETING_MATCH` means that strategies or a parent decided, whichever way: OFREP has no reason for "no match". */
function reasonOf(flag: CompiledFlag, enabled: boolean, hasVariant: boolean): Reason {
  if (!flag.enabled) return 'DISABLED';
  if (hasVariant) return 'SPLIT';
  return enabled && flag.strategies.length === 0 ? 'STATIC' : 'TARGETING_MATCH';
}

function typedValue({ type, value }: Payload): unknown {
  if (type === 'number') {
    const number = Number(value);
    if (value.trim() === '' || !Number.isFinite(number))
      throw new BadPayload('The payload of the variant is not a number. Correct the payload or its type.');
    // The digits as they were saved, where a double would round them.
    return /^-?[1-9]\d*$/.test(value) && !Number.isSafeInteger(number) ? new LongNumber(value) : number;
  }
  if (type !== 'json') return value;
  try {
    return parseExactJson(value);
  } catch {
    throw new BadPayload('The payload of the variant is not valid JSON. Correct the payload or its type.');
  }
}
