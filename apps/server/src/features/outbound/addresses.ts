import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Addresses that no public host has (RFC 6890 and its successors), and those that stand for another address. */
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

const closed = new BlockList();
for (const [net, bits] of privateV4) closed.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of privateV6) closed.addSubnet(net, bits, 'ipv6');
const global = new BlockList();
global.addSubnet(...publicV6, 'ipv6');

/** Whether an address is one that only machines near this one can reach, or none at all. */
export function isPrivate(address: string): boolean {
  if (isIP(address) === 4) return closed.check(address, 'ipv4');
  return !global.check(address, 'ipv6') || closed.check(address, 'ipv6');
}

export interface Reach {
  /** Whether private addresses may be called. */
  readonly allowPrivate: boolean;
  /** Hosts that may be called wherever they are. */
  readonly allowedHosts: readonly string[];
}

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Finds the addresses of a host. */
export type Resolve = (host: string) => Promise<readonly Address[]>;

export const resolveByDns: Resolve = (host) => lookup(host, { all: true });

/**
 * The address at which a URL may be called, for this call: asking again might answer another one. `private` when the host
 * has a private one among its addresses and may not. Rejects when it has none.
 */
export async function addressOf(url: URL, reach: Reach, resolve: Resolve): Promise<Address | 'private'> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const found = family === 0 ? await resolve(host) : [{ address: host, family }];
  const allowed = reach.allowPrivate || reach.allowedHosts.some((name) => name.toLowerCase() === host.toLowerCase());
  if (!allowed && found.some(({ address }) => isPrivate(address))) return 'private';
  const [first] = found;
  if (first === undefined) throw new Error('the host has no address');
  return first;
}
