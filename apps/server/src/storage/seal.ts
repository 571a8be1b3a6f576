import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts secrets that must be read back, so that the database and its backups do not hold them in plain text. */
export interface Seal {
  /** The prefix of all texts that `seal` returns; it identifies the password. */
  readonly mark: string;
  seal(secret: string): string;
  /** Returns the secret; undefined when it was encrypted with a password that is not configured. */
  open(sealed: string): string | undefined;
}

const plainMark = 'plain:';
const algorithm = 'aes-256-gcm';
/** The greatest length of a prefix; indexes on sealed columns cover this many characters. */
export const markLength = 18;

/**
 * Returns a seal with a key derived from `password`: AES-256-GCM with a random nonce per text. It also opens texts that
 * were encrypted with `previous`. Without a password it stores texts unencrypted, with the prefix `plain:`.
 */
export function createSeal(password: string | undefined, previous?: string): Seal {
  const current = password === undefined ? undefined : keyOf(password);
  const keys = [current, previous === undefined ? undefined : keyOf(previous)].filter((key) => key !== undefined);
  return {
    mark: current?.mark ?? plainMark,
    seal: (secret) => (current === undefined ? plainMark + secret : encrypted(current, secret)),
    open: (sealed) => {
      if (sealed.startsWith(plainMark)) return sealed.slice(plainMark.length);
      for (const key of keys) {
        if (sealed.startsWith(key.mark)) return decrypted(key, sealed.slice(key.mark.length));
      }
      return undefined;
    },
  };
}

interface Key {
  readonly key: Buffer;
  readonly mark: string;
}

function keyOf(password: string): Key {
  const key = Buffer.from(hkdfSync('sha256', password, 'yardarm', 'sealed settings', 32));
  const id = Buffer.from(hkdfSync('sha256', password, 'yardarm', 'id of the key', 6)).toString('base64url');
  return { key, mark: `sealed:2:${id}:` };
}

function encrypted({ key, mark }: Key, secret: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(algorithm, key, nonce);
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return mark + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

function decrypted({ key }: Key, text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    // The authentication tag does not match: another key, or a damaged text.
    return undefined;
  }
}
