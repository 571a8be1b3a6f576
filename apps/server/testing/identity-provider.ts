import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Claims of the user who logs in; `sub` is required. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

interface Answer {
  readonly id_token: string;
  readonly [other: string]: unknown;
}

/** Faults that a test switches on in the provider. */
export interface Mischief {
  /** Changes the answer of the token endpoint. */
  token?: (answer: Answer) => Answer;
  /** Overrides fields of the discovery document. */
  discovery?: (document: Record<string, unknown>) => Record<string, unknown>;
  /** When true, requests get no answer. */
  isSilent?: boolean;
}

/** A real OpenID Connect provider on the loopback address. It logs every visitor in as `user`, without a form. */
export interface IdentityProvider {
  readonly issuer: string;
  user: Claims;
  mischief: Mischief;
  /** Paths of the requests so far. */
  readonly requested: string[];
  /** Returns a signed JWT, by default with the provider's own key. With the algorithm `none` the JWT is not signed. */
  jwt(claims: object, header?: { alg: string }, key?: KeyObject): string;
  /** Makes the provider sign with a new key from now on. */
  rotateKey(): Promise<void>;
  stop(): Promise<void>;
}

export const clientId = 'yardarm';
export const clientSecret = 'the secret: of the client %/+&=';

/** Starts a provider with one registered client, the server at `clientUrl`. */
export async function startIdentityProvider(clientUrl: string): Promise<IdentityProvider> {
  let key = newKey();
  let handle: ReturnType<Provider['callback']> | undefined;
  let provider: Provider | undefined;
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    self.requested.push(path);
    if (self.mischief.isSilent === true) return;
    if (path.startsWith('/interaction/')) {
      await provider?.interactionFinished(request, response, { login: { accountId: self.user.sub } });
      return;
    }
    await handle?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open = () => {
    provider = new Provider(
      issuer,
      configuration(clientUrl, key.jwk, () => self.user),
    );
    provider.use(async (context, next) => {
      await next();
      const { token, discovery } = self.mischief;
      if (context.path === '/token' && context.status === 200 && token !== undefined)
        context.body = token(context.body as Answer);
      if (context.path.startsWith('/.well-known/') && discovery !== undefined)
        context.body = discovery(context.body as Record<string, unknown>);
    });
    handle = provider.callback();
  };
  const self: IdentityProvider = {
    issuer,
    user: { sub: 'nobody' },
    mischief: {},
    requested: [],
    jwt: (claims, header = { alg: 'RS256' }, signer = key.privateKey) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const text = `${part({ ...header, kid: key.kid })}.${part(claims)}`;
      const signature =
        header.alg === 'none' ? '' : sign('RSA-SHA256', Buffer.from(text), signer).toString('base64url');
      return `${text}.${signature}`;
    },
    rotateKey: async () => {
      key = newKey();
      open();
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  open();
  return self;
}

let keys = 0;

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = `key-${++keys}`;
  return { privateKey, kid, jwk: { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } };
}

function configuration(clientUrl: string, jwk: object, user: () => Claims): object {
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${clientUrl}/auth/oidc/callback`],
        post_logout_redirect_uris: [`${clientUrl}/`],
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['a', 'b'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: { email: ['email', 'email_verified', 'xms_edov'], profile: ['name', 'realm_access'], groups: ['groups'] },
    acrValues: ['mfa'],
    conformIdTokenClaims: false,
    // Longer than tests move the clock, so that a token does not expire during a test.
    ttl: { IdToken: 7 * 24 * 3600 },
    pkce: { required: () => false },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: () => ({ accountId: user().sub, claims: () => user() }),
    loadExistingGrant: async ({ oidc }: { oidc: OidcContext }) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
  };
}

interface OidcContext {
  readonly provider: Provider;
  readonly client: { readonly clientId: string };
  readonly session: { readonly accountId: string };
}
