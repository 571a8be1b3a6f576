import { isIP } from 'node:net';
import type { RequestInfo } from '../../http/request.ts';
import { Problem } from '../../kernel/errors.ts';

export interface OwnOrigin {
  /** Whether the proxy in front is believed when it names the host and the scheme that the browser asked for. */
  readonly trustProxy: boolean;
  /** Whether this is served over HTTPS only. */
  readonly secure: boolean;
  /** Address that people use. */
  readonly publicUrl: () => string;
}

/**
 * Rejects with 403 when a browser says that a page of another origin made it send this. A cookie, or having no credentials
 * at all, is all that such a page needs to act in a person's name; a token it cannot know. Both headers are looked at,
 * because a browser sends `Sec-Fetch-Site` only over HTTPS and to its own machine; programs send neither. The scheme counts:
 * whoever sits between a browser and the server can make any page of `http://` of the same host.
 */
export function requireOwnOrigin(request: RequestInfo, own: OwnOrigin): void {
  const site = request.header('sec-fetch-site');
  const origin = request.header('origin');
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (!foreignSite && (origin === undefined || ownOrigins(request, own).has(origin.toLowerCase()))) return;
  const from = origin === undefined ? 'another site' : `the origin ${origin.slice(0, longestQuoted)}`;
  throw new Problem(
    'ForbiddenError',
    `A page of ${from} asked for this. Use the pages of ${own.publicUrl()}, or set UNLEASH_URL to the address that people use.`,
  );
}

/** More of an Origin header is not quoted in an error. */
const longestQuoted = 255;

/**
 * A 403 when the request asks for a host by a name that anybody could have pointed here. A page of such a name
 * (DNS rebinding) is of the same origin to the browser, and where no credentials are needed it may do everything. Ours
 * are the public address, addresses in numbers, and names that the public DNS does not give out.
 */
export function requireOwnHost(request: RequestInfo, own: OwnOrigin): void {
  const publicHost = hostOf(own.publicUrl());
  // All of them: a page may make its browser send any X-Forwarded-Host, which does not make up for the Host.
  for (const host of askedHosts(request, own)) {
    if (host === publicHost || isPrivateName(host)) continue;
    throw new Problem(
      'ForbiddenError',
      `Without authentication this answers to no public name but the one in UNLEASH_URL, which ${host} is not.`,
    );
  }
}

/**
 * Whether the public DNS gives out no such name: an address in numbers, `localhost`, and names without a dot. Top-level
 * domains of countries are public and some have an address, such as http://ai; generic ones may have none (ICANN, 2013).
 */
function isPrivateName(host: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true;
  if (name.includes('.')) return name.endsWith('.localhost');
  return name !== '' && !countryDomain.test(name);
}

const countryDomain = /^(?:[a-z]{2}|xn--.*)$/;

/** Origins whose pages are the service's own: the public address, and the host of the request with its scheme. */
function ownOrigins(request: RequestInfo, own: OwnOrigin): ReadonlySet<string> {
  const publicUrl = URL.parse(own.publicUrl());
  const origins = new Set(publicUrl === null ? [] : [publicUrl.origin]);
  const forwarded = forwardedOf(request, own, 'x-forwarded-proto');
  const scheme = forwarded ?? (own.secure ? 'https' : 'http');
  for (const host of askedHosts(request, own)) {
    // Of its host the public address says the scheme, where no proxy does.
    if (forwarded === undefined && host === publicUrl?.host) continue;
    const origin = URL.parse(`${scheme}://${host}`)?.origin;
    if (origin !== undefined && origin !== 'null') origins.add(origin);
  }
  return origins;
}

function askedHosts(request: RequestInfo, own: OwnOrigin): string[] {
  const forwarded = forwardedOf(request, own, 'x-forwarded-host');
  return [request.header('host'), forwarded].filter((host) => host !== undefined);
}

/** What the proxy in front says of the request, where it is believed; the first is the one that the browser spoke to. */
function forwardedOf(request: RequestInfo, { trustProxy }: OwnOrigin, header: string): string | undefined {
  return trustProxy ? request.header(header)?.split(',', 1)[0]?.trim().toLowerCase() : undefined;
}

/** Host and port; undefined of what is no URL. */
function hostOf(url: string): string | undefined {
  return URL.parse(url)?.host;
}
