import type { singleSignOnRoutes } from '@yardarm/contract';
import { stringifySetCookie } from 'cookie';
import * as oidc from 'openid-client';
import { recordFailedLogin } from '#features/people/login-history/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { RequestInfo } from '#http/request.ts';
import { Problem } from '#kernel/errors.ts';
import { type CallbackRequest, completeLogin } from './callback.ts';
import { redirectOnError } from './error-redirect.ts';
import type { SingleSignOnOptions } from './options.ts';
import { pendingLoginSeconds, savePendingLogin, takePendingLogin } from './pending-login.ts';
import { safeReturnPath } from './return-path.ts';

export function singleSignOnHandlers(options: SingleSignOnOptions): Handlers<typeof singleSignOnRoutes> {
  return {
    'GET /auth/oidc/login': ({ query, request }) =>
      redirectOnError(options, request, () => begin(options, query.redirect, request)),
    'GET /auth/oidc/callback': ({ query, request }) =>
      redirectOnError(options, request, () => end(options, query, request)),
  };
}

async function begin(options: SingleSignOnOptions, redirect: string | undefined, request: RequestInfo) {
  const { database, provider, basePath } = options;
  requireLogins(options);
  await options.limit.spend(request.clientAddress);
  const { client, settings } = await provider.connect();
  const pending = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    codeVerifier: settings.enablePkce ? oidc.randomPKCECodeVerifier() : '',
    returnTo: safeReturnPath(redirect, basePath),
  };
  const secret = await savePendingLogin(database, pending, request.requestId);
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: `${options.publicUrl()}/auth/oidc/callback`,
    scope: `openid email profile${settings.addGroupsScope ? ' groups' : ''}`,
    state: pending.state,
    nonce: pending.nonce,
    ...(settings.acrValues === '' ? {} : { acr_values: settings.acrValues }),
    ...(settings.enablePkce ? await challengeOf(pending.codeVerifier) : {}),
  });
  const cookie = pendingLoginCookie(options, pending.state, secret, pendingLoginSeconds);
  return { status: 302, headers: { location: url.href, 'set-cookie': cookie, 'cache-control': 'no-store' } } as const;
}

async function end(options: SingleSignOnOptions, query: CallbackRequest['query'], request: RequestInfo) {
  const { database } = options;
  requireLogins(options);
  const state = query['state'] ?? '';
  if (!statePattern.test(state)) throw unknownLogin();
  const secret = request.cookies[cookieName(state)] ?? '';
  const pending = await takePendingLogin(database, options.clock, secret, state, request.requestId);
  if (pending === undefined) throw unknownLogin();
  const outcome = await completeLogin(options, { query, pending, request });
  const clear = pendingLoginCookie(options, state, '', 0);
  if (outcome.problem === undefined) {
    // Set-Cookie headers cannot be combined: one header for each cookie.
    const headers = {
      location: pending.returnTo,
      'set-cookie': [outcome.session.cookie, clear],
      'cache-control': 'no-store',
    };
    return { status: 302, headers } as const;
  }
  const { problem, username } = outcome;
  const attempt = { username, authType: 'oidc', ip: request.clientAddress, userId: undefined } as const;
  await recordFailedLogin(database, attempt, request.requestId, problem.message);
  options.countFailure(attempt);
  throw new Problem(problem.name, problem.message, { headers: { 'set-cookie': clear } });
}

const statePattern = /^[\w-]{43}$/;

/** Returns the cookie name of a pending login. Each login has its own, so that several tabs can log in at once. */
function cookieName(state: string): string {
  return `yardarm-login-${state.slice(0, 12)}`;
}

function pendingLoginCookie(
  { basePath, secureCookies }: SingleSignOnOptions,
  state: string,
  secret: string,
  maxAgeSeconds: number,
): string {
  return stringifySetCookie({
    name: cookieName(state),
    value: secret,
    maxAge: maxAgeSeconds,
    path: `${basePath}/auth/oidc`,
    httpOnly: true,
    secure: secureCookies,
    // The browser must send the cookie when the provider redirects it back.
    sameSite: 'lax',
  });
}

async function challengeOf(codeVerifier: string) {
  return { code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier), code_challenge_method: 'S256' };
}

function requireLogins({ authType }: SingleSignOnOptions): void {
  if (authType === 'none')
    throw new Problem('DisabledError', 'Login is disabled: authentication is off (AUTH_TYPE is none).');
}

function unknownLogin(): Problem {
  return new Problem('UnauthorizedError', 'This login is unknown, has expired or was completed already. Log in again.');
}
