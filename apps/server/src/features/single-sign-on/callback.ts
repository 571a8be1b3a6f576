import * as oidc from 'openid-client';
import type { RequestInfo } from '../../http/request.ts';
import { Problem } from '../../kernel/errors.ts';
import { findAccount } from '../access/index.ts';
import { noteLogin } from '../login-history/index.ts';
import type { NewSession } from '../sessions/index.ts';
import { noteProvenAddress } from '../users/index.ts';
import { admit } from './admit.ts';
import type { Attempt } from './attempt.ts';
import { type Claims, isComplete, merged, personOf } from './claims.ts';
import type { SingleSignOnOptions } from './options.ts';
import type { Connection } from './provider.ts';
import { providerProblem } from './provider-problem.ts';

/** What a browser brought back from the provider. */
export interface Answered {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly attempt: Attempt;
  readonly request: RequestInfo;
}

/** A session, or why there is none. */
export type Outcome =
  | { readonly session: NewSession; readonly problem?: undefined; readonly username: string }
  | { readonly session?: undefined; readonly problem: Problem; readonly username: string };

/** Whose login it is while nobody knows. */
const nobody = 'Incorrectly configured provider';

/** Asks the provider who has logged in there, and begins their session here. */
export async function comeIn(options: SingleSignOnOptions, answered: Answered): Promise<Outcome> {
  let username = nobody;
  try {
    const connection = await options.provider.connect();
    const { claims, idToken } = await claimsFrom(connection, options, answered);
    username = typeof claims['email'] === 'string' ? claims['email'] : String(claims['sub']);
    const { settings } = connection;
    const { requestId, clientAddress: ip } = answered.request;
    const person = personOf(claims, settings);
    const account = await admit(options.database, person, settings, requestId);
    const session = await options.sessions.begin(
      account,
      answered.request,
      async (tx) => {
        // It may have been deleted since.
        if ((await findAccount(tx.db, 'user', account.id)) === undefined)
          throw new Problem('ForbiddenError', 'Your account has just been deleted.');
        await noteProvenAddress(tx, account.id);
        await noteLogin(tx, { username: person.email, authType: 'oidc', ip, userId: account.id });
      },
      settings.enableSingleSignOut ? idToken : null,
    );
    return { session, username };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { problem: error, username };
  }
}

/** What the provider says of whoever has logged in. Its signature, issuer, audience, nonce and times have been checked. */
async function claimsFrom(
  { client, settings }: Connection,
  { publicUrl, warn }: SingleSignOnOptions,
  { query, attempt }: Answered,
): Promise<{ claims: Claims; idToken: string | null }> {
  // Made from our own address, not from what the request says it was sent to.
  const url = new URL(`${publicUrl()}/auth/oidc/callback`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  try {
    const tokens = await oidc.authorizationCodeGrant(client, url, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      ...(attempt.codeVerifier === '' ? {} : { pkceCodeVerifier: attempt.codeVerifier }),
    });
    const claims: Claims = { ...tokens.claims() };
    const asksMore = !isComplete(claims, settings) && client.serverMetadata().userinfo_endpoint !== undefined;
    const more = asksMore ? await oidc.fetchUserInfo(client, tokens.access_token, String(claims['sub'])) : undefined;
    return { claims: more === undefined ? claims : merged(claims, more), idToken: tokens.id_token ?? null };
  } catch (error) {
    throw providerProblem(error, warn);
  }
}
