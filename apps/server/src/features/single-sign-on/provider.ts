import * as oidc from 'openid-client';
import type { Clock } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import { type AuthSettings, mayBeAsked, type OidcSettings } from '../auth-settings/index.ts';
import { providerProblem } from './provider-problem.ts';

const wellKnown = '/.well-known/openid-configuration';
/** How long what the provider says of itself is believed. Its keys are asked for at every login. */
const believedMs = 10 * 60 * 1000;
/** How far its clock and ours may differ. */
const toleranceSeconds = 60;

export interface Provider {
  /**
   * What the provider is talked to with, by the settings of now. 422 while single sign-on is off, 502 or 504 when the provider
   * cannot be reached or is not who it should be.
   */
  connect(): Promise<Connection>;
  /** {@link connect}, with what the provider says of itself now. */
  reconnect(): Promise<Connection>;
  /**
   * Where the provider logs people out, and leads them to `returnTo` after (RP-Initiated Logout 1.0); undefined when it does
   * not, cannot be reached, or the settings do not want it.
   */
  signOutUrl(idToken: string, returnTo: string): Promise<string | undefined>;
}

export interface Connection {
  readonly settings: OidcSettings;
  readonly client: oidc.Configuration;
}

interface Described {
  readonly url: string;
  readonly until: number;
  readonly metadata: Promise<oidc.ServerMetadata>;
}

/** `warn` hears why the provider could not be talked to, which has `timeoutSeconds` for each answer. */
export function createProvider(
  authSettings: AuthSettings,
  clock: Clock,
  timeoutSeconds: number,
  warn: (about: object, message: string) => void,
): Provider {
  const { allowHttp, seal } = authSettings.options;
  let known: Described | undefined;
  const describe = (url: string): Promise<oidc.ServerMetadata> => {
    if (known?.url === url && known.until > clock.elapsed()) return known.metadata;
    const asked: Described = {
      url,
      until: clock.elapsed() + believedMs,
      metadata: discover(url, allowHttp, timeoutSeconds),
    };
    known = asked;
    asked.metadata.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked.metadata;
  };
  const connect = async (): Promise<Connection> => {
    const settings = await authSettings.oidc();
    const { enabled, discoverUrl, clientId, secret: sealed } = settings;
    if (!enabled || discoverUrl === null || clientId === null || sealed === null)
      throw new Problem('DisabledError', 'There is no single sign-on here.');
    const secret = seal.open(sealed);
    if (secret === undefined) {
      warn({}, 'the secret of the OpenID Connect client was stored under another UNLEASH_SECRET; set it again');
      throw new Problem('BadGatewayError', 'Single sign-on is not set up rightly. An administrator has to look.');
    }
    try {
      const metadata = await describe(discoverUrl);
      const client = clientOf(metadata, settings, clientId, secret, clock, allowHttp);
      client.timeout = timeoutSeconds;
      return { settings, client };
    } catch (error) {
      throw providerProblem(error, warn);
    }
  };
  const reachable = async () => {
    try {
      return (await connect()).client;
    } catch (error) {
      // Whoever logs out is logged out here all the same; the log has what is wrong.
      if (error instanceof Problem) return undefined;
      throw error;
    }
  };
  return {
    connect,
    reconnect: () => {
      known = undefined;
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

/** What the provider says of itself, when it is the one that was asked (OpenID Connect Discovery 1.0, 4.3). */
async function discover(discoverUrl: string, allowHttp: boolean, timeoutSeconds: number): Promise<oidc.ServerMetadata> {
  const issuer = discoverUrl.replace(/\/?$/, '').replace(wellKnown, '');
  const found = await oidc.discovery(new URL(issuer + wellKnown), 'unused', undefined, oidc.None(), {
    timeout: timeoutSeconds,
    [oidc.customFetch]: guardedFetch(allowHttp),
    execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
  });
  const metadata = found.serverMetadata();
  if (metadata.issuer.replace(/\/$/, '') !== issuer)
    throw new Error(`the provider at ${issuer} says that it is ${metadata.issuer}`);
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
  // Without this the signature is not looked at: the answer came over TLS from the provider itself.
  oidc.enableNonRepudiationChecks(client);
  return client;
}

/** The provider names its own addresses, to which secrets are sent: none of them may be one that others read along. */
function guardedFetch(allowHttp: boolean): oidc.CustomFetch {
  return async (url, { body, ...options }) => {
    if (!mayBeAsked(url, allowHttp)) throw new TypeError(`the provider wants to be asked over HTTP, at ${url}`);
    return fetch(url, { ...options, body: body ?? null });
  };
}
