import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

// Certificates (RFC 5280) in DER, as X.690 defines it: Node reads certificates and makes none.

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const utf8 = (text: string) => der(0x0c, Buffer.from(text));
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content);

/** UTCTime: seconds, of a year without its century. */
const time = (ms: number) => der(0x17, Buffer.from(new Date(ms).toISOString().replace(/^..|[-:T]|\.\d+/g, '')));

/** The algorithms of signatures: ecdsa-with-SHA256, and sha256WithRSAEncryption. */
const algorithms = {
  ec: sequence(identifier('2a8648ce3d040302')),
  'rsa:2048': sequence(identifier('2a864886f70d01010b'), der(0x05)),
};

/** The names that the certificate is valid for: 127.0.0.1 and localhost. */
const alternativeNames = sequence(
  identifier('551d11'),
  der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])), der(0x82, Buffer.from('localhost')))),
);

/** It signs itself, so clients that are told to trust it need it to be one of an authority. */
const isAuthority = sequence(
  identifier('551d13'),
  der(0x01, Buffer.from([0xff])),
  der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
);

/** Makes a self-signed certificate of three days for 127.0.0.1 and localhost, with its key; both in PEM. */
export function makeCertificate(kind: keyof typeof algorithms = 'ec'): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } =
    kind === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const name = sequence(der(0x31, sequence(identifier('550403'), utf8('127.0.0.1'))));
  const now = Date.now();
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    algorithms[kind],
    name,
    sequence(time(now - 60_000), time(now + 3 * 86_400_000)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeNames, isAuthority)),
  );
  const signed = sequence(content, algorithms[kind], bits(sign('sha256', content, privateKey)));
  const lines = signed.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n');
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key, cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}
