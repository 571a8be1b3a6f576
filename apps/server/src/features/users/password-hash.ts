import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** What OWASP's password storage cheat sheet asks of Argon2id: 19 MiB, 2 passes, 1 lane. Memory is in KiB. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

/** Argon2id of a password with a salt of its own, as a PHC string. Runs off the event loop, some 30 ms. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await derive('argon2id', { ...cost, message: spelling(password), nonce: salt, tagLength: tagBytes });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`;
}

/** Whether `hash`, from {@link hashPassword}, is of that password. It may have been made at another cost. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const { parameters, tag } = parse(hash);
  const derived = await derive('argon2id', { ...parameters, message: spelling(password) });
  return timingSafeEqual(derived, tag);
}

/** The same letters typed on another keyboard may arrive as other code points. */
function spelling(password: string): string {
  return password.normalize('NFKC');
}

function parse(hash: string): { parameters: Omit<Argon2Parameters, 'message'>; tag: Buffer } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (match === null) throw new Error('a stored password hash is not an Argon2id PHC string');
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  const [salt, tag] = match.slice(4).map((part) => Buffer.from(part, 'base64')) as [Buffer, Buffer];
  return { parameters: { memory, passes, parallelism, nonce: salt, tagLength: tag.length }, tag };
}

/** PHC strings leave the padding out. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
