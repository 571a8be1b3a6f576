import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Ranges that are not publicly reachable (RFC 6890 and its successors), and ranges that embed another address. */
const privateV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;
const publicV6 = ['2000::', 3] as const;
const privateV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const privateRanges = new BlockList();
for (const [net, bits] of privateV4) privateRanges.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of privateV6) privateRanges.addSubnet(net, bits, 'ipv6');
const publicRanges = new BlockList();
publicRanges.addSubnet(...publicV6, 'ipv6');

/** Returns whether an address is private or not a valid address. */
export function isPrivate(address: string): boolean {
  if (isIP(address) === 4) return privateRanges.check(address, 'ipv4');
  return !publicRanges.check(address, 'ipv6') || privateRanges.check(address, 'ipv6');
}

export interface AddressPolicy {
  /** Allows requests to private addresses. */
  readonly allowPrivate: boolean;
  /** Hosts that may be called even at a private address. */
  readonly allowedHosts: readonly string[];
}

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Resolves the addresses of a host. */
export type Resolve = (host: string) => Promise<readonly Address[]>;

export const resolveByDns: Resolve = (host) => lookup(host, { all: true });

/**
 * Returns the address to connect to for this request. The caller must connect to this address and not resolve the name
 * again, because the answer may change (DNS rebinding). Returns `private` when the host has a private address and the
 * policy forbids it. Rejects when the host has no address.
 */
export async function resolveAddress(
  url: URL,
  addressPolicy: AddressPolicy,
  resolve: Resolve,
): Promise<Address | 'private'> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const found = family === 0 ? await resolve(host) : [{ address: host, family }];
  const allowed =
    addressPolicy.allowPrivate || addressPolicy.allowedHosts.some((name) => name.toLowerCase() === host.toLowerCase());
  if (!allowed && found.some(({ address }) => isPrivate(address))) return 'private';
  const [first] = found;
  if (first === undefined) throw new Error('the host has no address');
  return first;
}
