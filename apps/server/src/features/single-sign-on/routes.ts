import type { singleSignOnRoutes } from '@yardarm/contract';
import * as oidc from 'openid-client';
import type { Handlers } from '../../http/handler.ts';
import type { RequestInfo } from '../../http/request.ts';
import { Problem } from '../../kernel/errors.ts';
import { noteFailedLogin } from '../login-history/index.ts';
import { attemptSeconds, keepAttempt, takeAttempt } from './attempt.ts';
import { type Answered, comeIn } from './callback.ts';
import { toldOnPage } from './on-page.ts';
import type { SingleSignOnOptions } from './options.ts';
import { ownPath } from './return-to.ts';

export function singleSignOnHandlers(options: SingleSignOnOptions): Handlers<typeof singleSignOnRoutes> {
  return {
    'GET /auth/oidc/login': ({ query, request }) =>
      toldOnPage(options, request, () => begin(options, query.redirect, request)),
    'GET /auth/oidc/callback': ({ query, request }) => toldOnPage(options, request, () => end(options, query, request)),
  };
}

async function begin(options: SingleSignOnOptions, redirect: string | undefined, request: RequestInfo) {
  const { database, provider, basePath } = options;
  requireLogins(options);
  await options.limit.spend(request.clientAddress);
  const { client, settings } = await provider.connect();
  const attempt = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    codeVerifier: settings.enablePkce ? oidc.randomPKCECodeVerifier() : '',
    returnTo: ownPath(redirect, basePath),
  };
  const secret = await keepAttempt(database, attempt, request.requestId);
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: `${options.publicUrl()}/auth/oidc/callback`,
    scope: `openid email profile${settings.addGroupsScope ? ' groups' : ''}`,
    state: attempt.state,
    nonce: attempt.nonce,
    ...(settings.acrValues === '' ? {} : { acr_values: settings.acrValues }),
    ...(settings.enablePkce ? await challengeOf(attempt.codeVerifier) : {}),
  });
  const cookie = attemptCookie(options, attempt.state, secret, attemptSeconds);
  return { status: 302, headers: { location: url.href, 'set-cookie': cookie, 'cache-control': 'no-store' } } as const;
}

async function end(options: SingleSignOnOptions, query: Answered['query'], request: RequestInfo) {
  const { database } = options;
  requireLogins(options);
  const state = query['state'] ?? '';
  if (!statePattern.test(state)) throw notBegun();
  const secret = request.cookies[cookieName(state)] ?? '';
  const attempt = await takeAttempt(database, options.clock, secret, state, request.requestId);
  if (attempt === undefined) throw notBegun();
  const outcome = await comeIn(options, { query, attempt, request });
  const clear = attemptCookie(options, state, '', 0);
  if (outcome.problem === undefined) {
    // One header each: a browser takes two cookies from two headers only.
    const headers = {
      location: attempt.returnTo,
      'set-cookie': [outcome.session.cookie, clear],
      'cache-control': 'no-store',
    };
    return { status: 302, headers } as const;
  }
  const { problem, username } = outcome;
  const tried = { username, authType: 'oidc', ip: request.clientAddress, userId: undefined } as const;
  await noteFailedLogin(database, tried, request.requestId, problem.message);
  throw new Problem(problem.name, problem.message, { headers: { 'set-cookie': clear } });
}

const statePattern = /^[\w-]{43}$/;

/** Each login has a cookie of its own, so that several can go on in the tabs of one browser. */
function cookieName(state: string): string {
  return `yardarm-login-${state.slice(0, 12)}`;
}

function attemptCookie(
  { basePath, secureCookies }: SingleSignOnOptions,
  state: string,
  secret: string,
  maxAgeSeconds: number,
): string {
  // Lax, because the browser brings it back from a page of the provider.
  const kind = `Path=${basePath}/auth/oidc; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`;
  return `${cookieName(state)}=${secret}; ${kind}${secureCookies ? '; Secure' : ''}`;
}

async function challengeOf(codeVerifier: string) {
  return { code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier), code_challenge_method: 'S256' };
}

function requireLogins({ authType }: SingleSignOnOptions): void {
  if (authType === 'none')
    throw new Problem('DisabledError', 'There is no login here: authentication is off (AUTH_TYPE is none).');
}

function notBegun(): Problem {
  return new Problem(
    'UnauthorizedError',
    'This login was not begun in this browser, took too long or is over. Begin again.',
  );
}
