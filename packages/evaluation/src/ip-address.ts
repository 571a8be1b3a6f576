/** An IP address: 4 bytes or 16. */
export type Address = readonly number[];

/** The addresses whose first `bits` bits are those of `address`. */
export interface Network {
  readonly address: Address;
  readonly bits: number;
}

/**
 * Reads an IPv4 address of four decimal numbers, or an IPv6 address (RFC 4291; a zone such as `%eth0` says where it is,
 * not what, and is passed over). An IPv4 address that IPv6 sockets write as `::ffff:192.0.2.1` is that IPv4 address.
 * Undefined for anything else.
 */
export function parseAddress(text: string): Address | undefined {
  if (!text.includes(':')) return parseV4(text);
  const bytes = parseV6(text.replace(/%[\w.-]+$/, ''));
  return bytes !== undefined && isMapped(bytes) ? bytes.slice(12) : bytes;
}

/**
 * Reads `address/bits`; an address alone is the network of that one address. Bits behind the first `bits` do not
 * matter.
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

/** Whether the address lies in the network. Addresses of one kind lie in no network of the other. */
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
  // `::` stands for at least one group.
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  return [...before, ...new Array<number>(missing).fill(0), ...after];
}

/** Bytes of the groups between colons; the last may be an IPv4 address where `isEnd`. */
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
