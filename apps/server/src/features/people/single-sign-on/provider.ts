import * as oidc from 'openid-client';
import { type AuthSettings, isAllowedProviderUrl, type OidcSettings } from '#features/people/auth-settings/index.ts';
import type { Clock } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import { providerError } from './provider-error.ts';

const wellKnown = '/.well-known/openid-configuration';
/** How long the provider's discovery document is cached. Its keys are read at every login. */
const metadataTtlMs = 10 * 60 * 1000;
/** The tolerated difference between the clocks of the provider and this server. */
const toleranceSeconds = 60;

export interface Provider {
  /**
   * Returns a client for the provider with the current settings. Rejects with 422 when single sign-on is off, and with
   * 502 or 504 when the provider cannot be reached or its issuer is not the configured one.
   */
  connect(): Promise<Connection>;
  /** Like {@link connect}, but reads the discovery document again. */
  reconnect(): Promise<Connection>;
  /**
   * Returns the URL that logs the user out at the provider and then redirects to `returnTo` (RP-Initiated Logout 1.0).
   * Undefined when the provider does not support it or cannot be reached, or the settings do not enable it.
   */
  signOutUrl(idToken: string, returnTo: string): Promise<string | undefined>;
}

export interface Connection {
  readonly settings: OidcSettings;
  readonly client: oidc.Configuration;
}

interface CachedMetadata {
  readonly url: string;
  readonly until: number;
  readonly metadata: Promise<oidc.ServerMetadata>;
}

/** Creates the client of the provider. Each call times out after `timeoutSeconds`; failures are logged with `warn`. */
export function createProvider(
  authSettings: AuthSettings,
  clock: Clock,
  timeoutSeconds: number,
  warn: (about: object, message: string) => void,
): Provider {
  const { allowHttp, seal } = authSettings.options;
  let cached: CachedMetadata | undefined;
  const describe = (url: string): Promise<oidc.ServerMetadata> => {
    if (cached?.url === url && cached.until > clock.elapsed()) return cached.metadata;
    const entry: CachedMetadata = {
      url,
      until: clock.elapsed() + metadataTtlMs,
      metadata: discover(url, allowHttp, timeoutSeconds),
    };
    cached = entry;
    entry.metadata.catch(() => {
      if (cached === entry) cached = undefined;
    });
    return entry.metadata;
  };
  const connect = async (): Promise<Connection> => {
    const settings = await authSettings.oidc();
    const { enabled, discoverUrl, clientId, secret: sealed } = settings;
    if (!enabled || discoverUrl === null || clientId === null || sealed === null)
      throw new Problem('DisabledError', 'Single sign-on is off. Log in with a password, or ask an administrator.');
    const secret = seal.open(sealed);
    if (secret === undefined) {
      warn({}, 'the OpenID Connect client secret was encrypted with another UNLEASH_SECRET; set it again');
      throw new Problem('BadGatewayError', 'Single sign-on is misconfigured. Ask an administrator.');
    }
    try {
      const metadata = await describe(discoverUrl);
      const client = clientOf(metadata, settings, clientId, secret, clock, allowHttp);
      client.timeout = timeoutSeconds;
      return { settings, client };
    } catch (error) {
      throw providerError(error, warn);
    }
  };
  const reachable = async () => {
    try {
      return (await connect()).client;
    } catch (error) {
      // The session here ends anyway, and connect() has logged the error.
      if (error instanceof Problem) return undefined;
      throw error;
    }
  };
  return {
    connect,
    reconnect: () => {
      cached = undefined;
      return connect();
    },
    signOutUrl: async (idToken, returnTo) => {
      if (!(await authSettings.oidc()).enableSingleSignOut) return undefined;
      const client = await reachable();
      if (client === undefined || client.serverMetadata().end_session_endpoint === undefined) return undefined;
      return oidc.buildEndSessionUrl(client, { id_token_hint: idToken, post_logout_redirect_uri: returnTo }).href;
    },
  };
}

/**
 * Reads the discovery document. Rejects when its issuer is not the configured one (OpenID Connect Discovery 1.0, 4.3).
 */
async function discover(discoverUrl: string, allowHttp: boolean, timeoutSeconds: number): Promise<oidc.ServerMetadata> {
  const issuer = discoverUrl.replace(/\/?$/, '').replace(wellKnown, '');
  const found = await oidc.discovery(new URL(issuer + wellKnown), 'unused', undefined, oidc.None(), {
    timeout: timeoutSeconds,
    [oidc.customFetch]: guardedFetch(allowHttp),
    execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
  });
  const metadata = found.serverMetadata();
  if (metadata.issuer.replace(/\/$/, '') !== issuer)
    throw new Error(`the discovery document of ${issuer} names another issuer: ${metadata.issuer}`);
  return { ...metadata };
}

function clientOf(
  metadata: oidc.ServerMetadata,
  settings: OidcSettings,
  clientId: string,
  secret: string,
  clock: Clock,
  allowHttp: boolean,
): oidc.Configuration {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authenticate = methods.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost;
  const client = new oidc.Configuration(
    metadata,
    clientId,
    {
      id_token_signed_response_alg: settings.idTokenSigningAlgorithm,
      [oidc.clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
      [oidc.clockTolerance]: toleranceSeconds,
    },
    authenticate(secret),
  );
  client[oidc.customFetch] = guardedFetch(allowHttp);
  if (metadata.issuer.startsWith('http:')) oidc.allowInsecureRequests(client);
  // By default the library skips the signature of ID tokens that come from the provider over TLS.
  oidc.enableNonRepudiationChecks(client);
  return client;
}

/**
 * Returns a fetch that refuses plain HTTP: the provider chooses its endpoint addresses, and secrets are sent to them.
 */
function guardedFetch(allowHttp: boolean): oidc.CustomFetch {
  return async (url, { body, ...options }) => {
    if (!isAllowedProviderUrl(url, allowHttp))
      throw new TypeError(
        `the provider names an address without HTTPS: ${url}. Use HTTPS, or set OIDC_ALLOW_HTTP for tests`,
      );
    return fetch(url, { ...options, body: body ?? null });
  };
}
