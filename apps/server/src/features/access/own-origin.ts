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

function ownHosts(request: RequestInfo, { trustProxy, publicUrl }: OwnOrigin): (string | undefined)[] {
  const forwarded = trustProxy ? request.header('x-forwarded-host')?.split(',', 1)[0]?.trim() : undefined;
  return [request.header('host'), forwarded, hostOf(publicUrl())].filter((host) => host !== undefined);
}

/** Host and port; undefined of what is no URL, such as the `null` of a sandboxed page. */
function hostOf(url: string): string | undefined {
  return URL.parse(url)?.host;
}
