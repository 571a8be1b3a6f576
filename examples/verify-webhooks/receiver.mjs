// A receiver of webhooks and action calls that verifies their signatures (Standard Webhooks).
// Run it with: node receiver.mjs 9000 whsec_… (or whpk_…, the public key of action calls)
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { createServer } from 'node:http';

const toleranceSeconds = 300;

/** Returns whether a request comes from the owner of the key. `body` is a Buffer, as it was received. */
export function isGenuine(headers, body, key) {
  const id = headers['webhook-id'] ?? '';
  const time = headers['webhook-timestamp'] ?? '';
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < toleranceSeconds)) return false;
  const text = Buffer.concat([Buffer.from(`${id}.${time}.`), body]);
  // After a rotation of the key there are two signatures.
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    if (version === 'v1' && key.startsWith('whsec_')) {
      const secret = Buffer.from(key.slice('whsec_'.length), 'base64');
      const expected = createHmac('sha256', secret).update(text).digest();
      return given.length === expected.length && timingSafeEqual(given, expected);
    }
    if (version === 'v1a' && key.startsWith('whpk_')) {
      const x = Buffer.from(key.slice('whpk_'.length), 'base64').toString('base64url');
      const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      return verify(null, text, publicKey, given);
    }
    return false;
  });
}

const [port, key] = process.argv.slice(2);
const seen = new Set();

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    if (!isGenuine(request.headers, body, key)) {
      response.writeHead(401).end();
      return;
    }
    // The same id can come again, after a retry or a redelivery.
    const id = request.headers['webhook-id'];
    if (!seen.has(id)) console.log(`${id} ${body}`);
    seen.add(id);
    response.writeHead(204).end();
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
