import { isOrigin } from '../kernel/origin.ts';

/** A setting: the environment variables that set it, its meaning, and how its text is parsed. */
export interface Setting<T> {
  readonly names: readonly [string, ...string[]];
  readonly default: T;
  readonly meaning: string;
  readonly secret: boolean;
  /** A description of the allowed values. */
  readonly takes: string;
  /** Parses the text of the setting. Throws an Error that describes the allowed values. */
  readonly parse: (text: string) => T;
}

interface Common {
  readonly names: readonly [string, ...string[]];
  readonly meaning: string;
  readonly secret?: boolean;
}

function setting<T>(common: Common, fallback: T, takes: string, parse: (text: string) => T): Setting<T> {
  const { names, meaning, secret = false } = common;
  return { names, meaning, secret, default: fallback, takes, parse };
}

export function text(spec: Common & { default: string }): Setting<string> {
  return setting(spec, spec.default, 'text', (value) => value);
}

export function optionalText(spec: Common): Setting<string | undefined> {
  return setting<string | undefined>(spec, undefined, 'text', (value) => (value === '' ? undefined : value));
}

/** A whole number from `min` to `max`, inclusive. */
export function integer(spec: Common & { default: number; min: number; max: number }): Setting<number> {
  const takes = `a whole number from ${spec.min} to ${spec.max}`;
  return setting(spec, spec.default, takes, (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < spec.min || number > spec.max) throw new Error(`must be ${takes}`);
    return number;
  });
}

/** Like {@link integer}, but undefined when it is not set. */
export function optionalInteger(spec: Common & { min: number; max: number }): Setting<number | undefined> {
  const { takes, parse } = integer({ ...spec, default: spec.min });
  return setting<number | undefined>(spec, undefined, takes, (value) => (value === '' ? undefined : parse(value)));
}

export function boolean(spec: Common & { default: boolean }): Setting<boolean> {
  const takes = 'true or false';
  return setting(spec, spec.default, takes, (value) => {
    if (!['true', 'false', '1', '0'].includes(value)) throw new Error(`must be ${takes}`);
    return value === 'true' || value === '1';
  });
}

/** Like {@link boolean}, but undefined when it is not set. */
export function optionalBoolean(spec: Common): Setting<boolean | undefined> {
  const { takes, parse } = boolean({ ...spec, default: false });
  return setting<boolean | undefined>(spec, undefined, takes, (value) => (value === '' ? undefined : parse(value)));
}

/** A whole number from 0 to `max`, or true for 1 and false for 0. */
export function countOrBoolean(spec: Common & { default: number; max: number }): Setting<number> {
  const takes = `true, false or a whole number from 0 to ${spec.max}`;
  return setting(spec, spec.default, takes, (value) => {
    const number = value === 'true' ? 1 : value === 'false' ? 0 : Number(value);
    if (!/^(true|false|\d+)$/.test(value) || number > spec.max) throw new Error(`must be ${takes}`);
    return number;
  });
}

export function oneOf<const V extends string>(
  spec: Common & { default: NoInfer<V>; values: readonly V[] },
): Setting<V> {
  const takes = `one of ${spec.values.join(', ')}`;
  return setting<V>(spec, spec.default, takes, (value) => {
    const match = spec.values.find((allowed) => allowed === value);
    if (match === undefined) throw new Error(`must be ${takes}`);
    return match;
  });
}

/** Comma-separated values; empty values are dropped. */
export function list(spec: Common): Setting<readonly string[]> {
  return setting<readonly string[]>(spec, [], 'a list, with commas between', (value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );
}

/** Comma-separated web origins; `*` allows all. */
export function origins(spec: Common): Setting<readonly string[]> {
  const items = list(spec);
  return setting<readonly string[]>(spec, [], 'a list of origins or *, with commas between', (value) => {
    const found = items.parse(value);
    const wrong = found.find((item) => item !== '*' && !isOrigin(item));
    if (wrong !== undefined)
      throw new Error(`must contain only origins such as https://example.com, or *, not ${wrong}`);
    return found;
  });
}

/** The public address of this server, without a trailing slash. */
export function webAddress(spec: Common & { default: string }): Setting<string> {
  const takes = 'a URL that begins with http:// or https://';
  return setting(spec, spec.default, takes, (value) => {
    if (value === '') return '';
    const { protocol, search, hash, username, password } = URL.canParse(value) ? new URL(value) : nowhere;
    if (!/^https?:$/.test(protocol) || search + hash + username + password !== '') {
      throw new Error(`must be ${takes} and contains only a host, a port and a path`);
    }
    return value.replace(/\/+$/, '');
  });
}

const nowhere = { protocol: '', search: '', hash: '', username: '', password: '' };

export function url(spec: Common): Setting<string | undefined> {
  return setting<string | undefined>(spec, undefined, 'a URL that begins with postgres://', (value) => {
    if (value === '') return undefined;
    if (!/^postgres(ql)?:\/\//.test(value)) throw new Error('must begin with postgres://');
    return value;
  });
}
