import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Keeps a secret of others, which is needed as it is, out of the database and its backups in the clear. */
export interface Seal {
  seal(secret: string): string;
  /** The secret; undefined when it was sealed under another password. */
  open(sealed: string): string | undefined;
}

const sealedMark = 'sealed:1:';
const plainMark = 'plain:';
const algorithm = 'aes-256-gcm';

/** Seals with a key made from `password`: AES-256-GCM, a random nonce each time. Without a password it only marks. */
export function createSeal(password: string | undefined): Seal {
  const key =
    password === undefined ? undefined : Buffer.from(hkdfSync('sha256', password, 'yardarm', 'sealed settings', 32));
  return {
    seal: (secret) => {
      if (key === undefined) return plainMark + secret;
      const nonce = randomBytes(12);
      const cipher = createCipheriv(algorithm, key, nonce);
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return sealedMark + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    open: (sealed) => {
      if (sealed.startsWith(plainMark)) return sealed.slice(plainMark.length);
      if (key === undefined || !sealed.startsWith(sealedMark)) return undefined;
      const bytes = Buffer.from(sealed.slice(sealedMark.length), 'base64url');
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
      } catch {
        // The tag does not fit: another key, or not what was stored.
        return undefined;
      }
    },
  };
}
