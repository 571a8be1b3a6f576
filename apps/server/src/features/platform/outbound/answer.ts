import type { IncomingMessage } from 'node:http';
import { startOfText } from '#kernel/cut-text.ts';

/** The bytes of an answer that are read, and the characters of them that are kept. */
const maxBytesRead = 4096;
const maxLength = 1000;
/** How long the start of a body is awaited after the status; a body that comes later is not read. */
const bodyTimeoutMs = 1000;
/** Shorter values are no secrets, and removing them would make the text unreadable. */
const minSecretLength = 6;

/**
 * Returns the start of the body of an answer and ends the connection. Never rejects: a body that is cut off, slow or
 * endless ends the text.
 */
export function readStart(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const end = () => {
      clearTimeout(timer);
      response.destroy();
      resolve(Buffer.concat(chunks).subarray(0, maxBytesRead).toString());
    };
    const timer = setTimeout(end, bodyTimeoutMs);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBytesRead) end();
    });
    // A connection that is cut off ends with an error; the text received until then is kept.
    response.on('error', end);
    response.on('close', end);
  });
}

/**
 * Returns the text as it may be logged: without control characters, without the secrets, which a receiver may echo, and
 * cut to 1000 characters.
 */
export function loggableText(text: string, secrets: readonly string[]): string {
  const values = secrets
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    .filter((secret) => secret.length >= minSecretLength)
    .toSorted((a, b) => b.length - a.length);
  let clean = text;
  for (const value of new Set(values)) clean = clean.replaceAll(value, '*****');
  // Remove the beginning of a secret that the end of the text cuts in two.
  for (const value of values) clean = withoutBeginningOf(value, clean);
  return startOfText(clean.replace(/[\p{Cc}\p{Cs}]+/gu, ' '), maxLength);
}

function withoutBeginningOf(value: string, text: string): string {
  for (let length = Math.min(value.length, text.length); length >= minSecretLength; length--)
    if (text.endsWith(value.slice(0, length))) return text.slice(0, -length);
  return text;
}
