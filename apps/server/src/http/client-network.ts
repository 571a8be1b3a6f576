import { isIPv6 } from 'node:net';

/**
 * Returns an address without the port that some proxies (Azure Application Gateway, IIS) write after it in
 * `X-Forwarded-For`: `192.0.2.1:1234`, `[2001:db8::1]:1234` or `[2001:db8::1]`. Every connection has another port.
 */
export function withoutPort(address: string): string {
  const match = /^(?:\[([0-9A-Fa-f:.%]+)\]|([\d.]+)(?=:))(?::\d{1,5})?$/.exec(address);
  return match?.[1] ?? match?.[2] ?? address;
}

/** What a proxy says may be anything; no address is longer. */
const longest = 64;

/**
 * What requests are counted by: an IPv4 address, or the first 64 bits of an IPv6 one, because whoever has one such
 * address has all of its network and could be somebody else with each request. An IPv4 address that is written as an
 * IPv6 one counts as what it is.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address.slice(0, longest);
  // URLs have one way to write an address, and no zone.
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
