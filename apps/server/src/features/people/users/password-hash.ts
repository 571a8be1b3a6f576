import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/**
 * The Argon2id parameters that OWASP's password storage cheat sheet recommends: 19 MiB, 2 passes, 1 lane. Memory is in
 * KiB.
 */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

/**
 * Returns the Argon2id hash of a password with a random salt, as a PHC string. Takes about 30 ms, off the event loop.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await derive('argon2id', { ...cost, message: normalized(password), nonce: salt, tagLength: tagBytes });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`;
}

/** Returns whether the password matches `hash`, a PHC string of Argon2id with any parameters. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const { parameters, tag } = parse(hash);
  const derived = await derive('argon2id', { ...parameters, message: normalized(password) });
  return timingSafeEqual(derived, tag);
}

/** Returns the NFKC form: the same letters typed on another keyboard may arrive as other code points. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

function parse(hash: string): { parameters: Omit<Argon2Parameters, 'message'>; tag: Buffer } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (match === null) throw new Error('a stored password hash is not an Argon2id PHC string');
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  const [salt, tag] = match.slice(4).map((part) => Buffer.from(part, 'base64')) as [Buffer, Buffer];
  return { parameters: { memory, passes, parallelism, nonce: salt, tagLength: tag.length }, tag };
}

/** Returns base64 without padding, as PHC strings have it. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
