import * as oidc from 'openid-client';
import { findAccount } from '#features/people/access/index.ts';
import { recordProviderLogin } from '#features/people/account-control/index.ts';
import { recordLogin } from '#features/people/login-history/index.ts';
import type { NewSession } from '#features/people/sessions/index.ts';
import { markEmailVerified } from '#features/people/users/index.ts';
import type { RequestInfo } from '#http/request.ts';
import { Problem } from '#kernel/errors.ts';
import { type Claims, identityOf, isComplete, mergeClaims } from './claims.ts';
import type { SingleSignOnOptions } from './options.ts';
import type { PendingLogin } from './pending-login.ts';
import type { Connection } from './provider.ts';
import { providerError } from './provider-error.ts';
import { provisionAccount } from './provision-account.ts';

/** A browser's request when it returns from the provider. */
export interface CallbackRequest {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly pending: PendingLogin;
  readonly request: RequestInfo;
}

/** A session, or the error that prevented the login. */
export type Outcome =
  | { readonly session: NewSession; readonly problem?: undefined; readonly username: string }
  | { readonly session?: undefined; readonly problem: Problem; readonly username: string };

/** The user name in the login history while the provider has not identified the user. */
const unknownUsername = 'Incorrectly configured provider';

/** Completes a login: exchanges the code for tokens, finds or creates the account, and begins a session. */
export async function completeLogin(options: SingleSignOnOptions, callback: CallbackRequest): Promise<Outcome> {
  let username = unknownUsername;
  try {
    const connection = await options.provider.connect();
    const { claims, idToken } = await claimsFrom(connection, options, callback);
    username = typeof claims['email'] === 'string' ? claims['email'] : String(claims['sub']);
    const { settings } = connection;
    const { clientAddress: ip } = callback.request;
    const person = identityOf(claims, settings);
    const account = await provisionAccount(options.database, person, settings, callback.request);
    const session = await options.sessions.begin(
      account,
      callback.request,
      { authType: 'oidc', idToken: settings.enableSingleSignOut ? idToken : null },
      async (tx) => {
        // The account may have been deleted since it was found.
        if ((await findAccount(tx.db, 'user', account.id)) === undefined)
          throw new Problem('ForbiddenError', 'Your account has been deleted. Ask an administrator.');
        await markEmailVerified(tx, account.id);
        await recordProviderLogin(tx, account.id);
        await recordLogin(tx, { username: person.email, authType: 'oidc', ip, userId: account.id });
      },
    );
    return { session, username };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { problem: error, username };
  }
}

/**
 * Exchanges the code for tokens and returns the claims. Signature, issuer, audience, nonce and times have been checked.
 */
async function claimsFrom(
  { client, settings }: Connection,
  { publicUrl, warn }: SingleSignOnOptions,
  { query, pending }: CallbackRequest,
): Promise<{ claims: Claims; idToken: string | null }> {
  // Built from the public address, because the request's own URL may be forged.
  const url = new URL(`${publicUrl()}/auth/oidc/callback`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  try {
    const tokens = await oidc.authorizationCodeGrant(client, url, {
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      ...(pending.codeVerifier === '' ? {} : { pkceCodeVerifier: pending.codeVerifier }),
    });
    const claims: Claims = { ...tokens.claims() };
    const needsUserInfo = !isComplete(claims, settings) && client.serverMetadata().userinfo_endpoint !== undefined;
    const more = needsUserInfo
      ? await oidc.fetchUserInfo(client, tokens.access_token, String(claims['sub']))
      : undefined;
    return { claims: more === undefined ? claims : mergeClaims(claims, more), idToken: tokens.id_token ?? null };
  } catch (error) {
    throw providerError(error, warn);
  }
}
