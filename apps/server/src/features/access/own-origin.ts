import { isIP } from 'node:net';
import type { RequestInfo } from '../../http/request.ts';
import { Problem } from '../../kernel/errors.ts';

export interface OwnOrigin {
  /** Whether the proxy in front is believed when it names the host that the browser asked for. */
  readonly trustProxy: boolean;
  /** Address that people use. */
  readonly publicUrl: () => string;
}

/**
 * A 403 when a browser says that a page of another site made it send this. A cookie, or having no credentials at all,
 * is all that such a page needs to act in a person's name; a token it cannot know. Both headers are looked at, because a
 * browser sends `Sec-Fetch-Site` only over HTTPS and to its own machine; programs send neither.
 */
export function requireOwnOrigin(request: RequestInfo, own: OwnOrigin): void {
  const site = request.header('sec-fetch-site');
  const origin = request.header('origin');
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (!foreignSite && (origin === undefined || ownHosts(request, own).includes(hostOf(origin)))) return;
  throw new Problem('ForbiddenError', 'A page of another site asked for this. Do it from this service’s own pages.');
}

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

function isPrivateName(host: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true;
  return name !== '' && (!name.includes('.') || name.endsWith('.localhost'));
}

function ownHosts(request: RequestInfo, own: OwnOrigin): (string | undefined)[] {
  return [...askedHosts(request, own), hostOf(own.publicUrl())].filter((host) => host !== undefined);
}

function askedHosts(request: RequestInfo, { trustProxy }: OwnOrigin): string[] {
  const forwarded = trustProxy ? request.header('x-forwarded-host')?.split(',', 1)[0]?.trim() : undefined;
  return [request.header('host'), forwarded].filter((host) => host !== undefined);
}

/** Host and port; undefined of what is no URL, such as the `null` of a sandboxed page. */
function hostOf(url: string): string | undefined {
  return URL.parse(url)?.host;
}
