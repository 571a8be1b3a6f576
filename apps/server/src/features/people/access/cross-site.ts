import { isIP } from 'node:net';
import type { RequestInfo } from '#http/request.ts';
import { Problem } from '#kernel/errors.ts';

export interface OriginSettings {
  /** Whether the proxy's X-Forwarded-Host and X-Forwarded-Proto headers are trusted. */
  readonly trustProxy: boolean;
  /** Whether the service is reached over HTTPS only. */
  readonly secure: boolean;
  /** Returns the address that people use (UNLEASH_URL). */
  readonly publicUrl: () => string;
  /** Whether UNLEASH_URL is set. Otherwise the requested host is the service's own, too. */
  readonly isPublicUrlSet: boolean;
}

/**
 * Protects against cross-site request forgery: rejects with 403 when the browser's headers say that a page of another
 * origin sent the request. Checks both `Origin` and `Sec-Fetch-Site`, because browsers send the latter only over HTTPS
 * and to localhost; programs send neither. The scheme must match, too: an attacker on the network can forge any page of
 * `http://` of the same host. Requests with a token need no check, since other pages do not know the token.
 */
export function requireSameOrigin(request: RequestInfo, own: OriginSettings): void {
  const site = request.header('sec-fetch-site');
  const origin = request.header('origin');
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (!foreignSite && (origin === undefined || ownOrigins(request, own).has(origin.toLowerCase()))) return;
  const from = origin === undefined ? 'another site' : `the origin ${origin.slice(0, longestQuoted)}`;
  throw new Problem(
    'ForbiddenError',
    `A page of ${from} sent this request. Use the pages of ${own.publicUrl()}, or set UNLEASH_URL to the address that people use.`,
  );
}

/** Longest part of an Origin header that an error quotes. */
const longestQuoted = 255;

/**
 * Protects against DNS rebinding where authentication is off: rejects with 403 when the requested host is a public DNS
 * name other than the one of UNLEASH_URL. An attacker can point such a name at this server, and the browser then treats
 * the attacker's pages as same-origin. IP addresses and names that are not in the public DNS are allowed.
 */
export function requireKnownHost(request: RequestInfo, own: OriginSettings): void {
  const publicHost = hostOf(own.publicUrl());
  // Every host must be known: a page can set any X-Forwarded-Host, but not the Host header.
  for (const host of requestedHosts(request, own)) {
    if (host === publicHost || isPrivateName(host)) continue;
    throw new Problem(
      'ForbiddenError',
      `The host ${host} is not the one in UNLEASH_URL. Without authentication, no other public host name is served. Set UNLEASH_URL to the address that people use.`,
    );
  }
}

/**
 * Returns whether a host cannot be a public DNS name: an IP address, `localhost`, or a name without a dot. Top-level
 * domains of countries count as public, because some have an address, such as http://ai; generic ones may not (ICANN,
 * 2013).
 */
function isPrivateName(host: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true;
  if (name.includes('.')) return name.endsWith('.localhost');
  return name !== '' && !countryDomain.test(name);
}

const countryDomain = /^(?:[a-z]{2}|xn--.*)$/;

/**
 * Returns the origins of the service's own pages: the public address. Without UNLEASH_URL also the requested hosts with
 * their scheme, because the address that people use is not known.
 */
function ownOrigins(request: RequestInfo, own: OriginSettings): ReadonlySet<string> {
  const publicUrl = URL.parse(own.publicUrl());
  const origins = new Set(publicUrl === null ? [] : [publicUrl.origin]);
  if (own.isPublicUrlSet) return origins;
  const forwarded = forwardedOf(request, own, 'x-forwarded-proto');
  const scheme = forwarded ?? (own.secure ? 'https' : 'http');
  for (const host of requestedHosts(request, own)) {
    // Without a forwarded scheme, the public URL decides the scheme of the public host; it is already in the list.
    if (forwarded === undefined && host === publicUrl?.host) continue;
    const origin = URL.parse(`${scheme}://${host}`)?.origin;
    if (origin !== undefined && origin !== 'null') origins.add(origin);
  }
  return origins;
}

function requestedHosts(request: RequestInfo, own: OriginSettings): string[] {
  const forwarded = forwardedOf(request, own, 'x-forwarded-host');
  return [request.header('host'), forwarded].filter((host) => host !== undefined);
}

/** Returns the first value of a header set by a trusted proxy: the value for the proxy that the browser spoke to. */
function forwardedOf(request: RequestInfo, { trustProxy }: OriginSettings, header: string): string | undefined {
  return trustProxy ? request.header(header)?.split(',', 1)[0]?.trim().toLowerCase() : undefined;
}

/** Returns the host and port of a URL; undefined when the text is not a URL. */
function hostOf(url: string): string | undefined {
  return URL.parse(url)?.host;
}
