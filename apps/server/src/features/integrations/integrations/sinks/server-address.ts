import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { badField } from '#kernel/errors.ts';
import { parameter, rejectInvalid } from './parameters.ts';
import type { SinkParameters } from './sink.ts';

/** The parameter for the certificate of a private certificate authority, for receivers that are reached by TLS. */
export const caCertificate = parameter({
  name: 'caCertificate',
  displayName: 'CA certificate',
  type: 'textfield',
  description: 'The certificate, in PEM, that signed the certificate of the server. Not needed for public authorities.',
});

interface TlsOptions {
  readonly servername?: string;
  readonly ca?: string;
  readonly checkServerIdentity: typeof checkServerIdentity;
}

/** The port and the encryption of a server that is not reached by HTTP. */
export interface ServerAddress {
  readonly port: number;
  /** Options for TLS, with the host that the certificate must name; undefined when the URL asks for none. */
  readonly tls: TlsOptions | undefined;
}

/**
 * Parses the parameters `url` and `caCertificate`. `protocols` are the protocols that the URL may have, with their
 * default ports. Throws a 400 that names the invalid parameter. The URL must not contain a user name or password,
 * because these are separate parameters.
 */
export function parseServer(
  { url = '', caCertificate: ca = '' }: SinkParameters,
  protocols: Readonly<Record<string, { readonly port: number; readonly tls: boolean }>>,
): ServerAddress {
  const known = Object.keys(protocols).map((protocol) => `${protocol}//`);
  const expected = `must be a URL that begins with ${known.join(' or ')}`;
  const { protocol, hostname, port, username, password, pathname, search, hash } = parseUrl(url, expected);
  const kind = protocols[protocol];
  if (kind === undefined || hostname === '') throw badField('parameters.url', expected);
  if (username !== '' || password !== '')
    throw badField('parameters.url', 'must not contain a user name or password: they have fields of their own');
  if (!['', '/'].includes(pathname) || search !== '' || hash !== '')
    throw badField('parameters.url', 'must have only a host and a port');
  if (ca !== '') rejectInvalid('parameters.caCertificate', () => parseCertificate(ca));
  const host = hostname.replace(/^\[|\]$/g, '');
  return { port: port === '' ? kind.port : Number(port), tls: kind.tls ? tlsOptions(host, ca) : undefined };
}

/** Returns options that check the certificate against `host`, although the connection is made to an IP address. */
function tlsOptions(host: string, ca: string): TlsOptions {
  return {
    // RFC 6066 does not allow an IP address as the server name.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === '' ? {} : { ca }),
    checkServerIdentity: (_connected, certificate) => checkServerIdentity(host, certificate),
  };
}

function parseUrl(url: string, expected: string): URL {
  if (!URL.canParse(url)) throw badField('parameters.url', expected);
  return new URL(url);
}

function parseCertificate(pem: string): void {
  try {
    new X509Certificate(pem);
  } catch {
    throw new Error('must be a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----');
  }
}
