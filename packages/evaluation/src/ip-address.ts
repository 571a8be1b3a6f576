/** The bytes of an IP address: 4 for IPv4, 16 for IPv6. */
export type Address = readonly number[];

/** A network: all addresses whose first `bits` bits are those of `address`. */
export interface Network {
  readonly address: Address;
  readonly bits: number;
}

/**
 * Parses an IPv4 address, or an IPv6 address (RFC 4291) whose zone, such as `%eth0`, is ignored. An IPv4-mapped
 * address, such as `::ffff:192.0.2.1`, becomes the IPv4 address. Returns undefined for any other text.
 */
export function parseAddress(text: string): Address | undefined {
  if (!text.includes(':')) return parseV4(text);
  const bytes = parseV6(text.replace(/%[\w.-]+$/, ''));
  return bytes !== undefined && isMapped(bytes) ? bytes.slice(12) : bytes;
}

/**
 * Parses `address/bits`. An address without bits is a network of a single address. Bits after the first `bits` are
 * ignored.
 */
export function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/');
  const address = parseAddress(slash < 0 ? text : text.slice(0, slash));
  if (address === undefined) return undefined;
  if (slash < 0) return { address, bits: address.length * 8 };
  const size = /^\d{1,3}$/.test(text.slice(slash + 1)) ? Number(text.slice(slash + 1)) : Number.NaN;
  const bits = address.length === 4 && text.includes(':') ? size - 96 : size;
  return bits >= 0 && bits <= address.length * 8 ? { address, bits } : undefined;
}

/** Returns whether the address is in the network. IPv4 addresses are never in IPv6 networks, and vice versa. */
export function isInside(address: Address, { address: base, bits }: Network): boolean {
  if (address.length !== base.length) return false;
  for (let left = bits, at = 0; left > 0; left -= 8, at++) {
    const shift = Math.max(0, 8 - left);
    if ((address[at] ?? 0) >> shift !== (base[at] ?? 0) >> shift) return false;
  }
  return true;
}

const v4 = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/;

function parseV4(text: string): Address | undefined {
  const bytes = v4.exec(text)?.slice(1).map(Number);
  return bytes?.every((byte) => byte <= 255) ? bytes : undefined;
}

function parseV6(text: string): Address | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head = '', tail] = halves;
  const before = groups(head, tail === undefined);
  const after = tail === undefined ? [] : groups(tail, true);
  if (before === undefined || after === undefined) return undefined;
  const missing = 16 - before.length - after.length;
  // `::` stands for at least one group, which is two bytes.
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  return [...before, ...new Array<number>(missing).fill(0), ...after];
}

/** Returns the bytes of colon-separated groups. With `isEnd` the last group may be an IPv4 address. */
function groups(text: string, isEnd: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      const value = Number.parseInt(part, 16);
      bytes.push(value >> 8, value & 0xff);
      continue;
    }
    const embedded = isEnd && index === parts.length - 1 ? parseV4(part) : undefined;
    if (embedded === undefined) return undefined;
    bytes.push(...embedded);
  }
  return bytes;
}

function isMapped(bytes: Address): boolean {
  return bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
}
