import { isIPv6 } from 'node:net';

/**
 * Removes the port that some proxies (Azure Application Gateway, IIS) append to the address in `X-Forwarded-For`:
 * `192.0.2.1:1234`, `[2001:db8::1]:1234` or `[2001:db8::1]`. The port differs with each connection.
 */
export function withoutPort(address: string): string {
  const match = /^(?:\[([0-9A-Fa-f:.%]+)\]|([\d.]+)(?=:))(?::\d{1,5})?$/.exec(address);
  return match?.[1] ?? match?.[2] ?? address;
}

/** The highest length of an address. A header may contain any text. */
const longest = 64;

/**
 * Returns the key by which requests are counted: an IPv4 address, or the /64 network of an IPv6 address, because a
 * client can use any address of its network. An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function networkOf(address: string): string {
  // The pattern of isIPv6 is long, and each signal comes this way.
  if (!address.includes(':') || !isIPv6(address)) return address.slice(0, longest);
  // The URL parser normalizes the address; it does not accept a zone.
  const written = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1);
  const [left = [], right = []] = written.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return groups.slice(6).flatMap(bytesOf).join('.');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

function bytesOf(group: string): [number, number] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 255];
}
