import { badField } from '#kernel/errors.ts';

/**
 * Returns the reason in a header, decoded; undefined when the header is absent. Rejects with 400 unless the header
 * holds one to `longest` printable characters, percent-encoded, because headers hold ASCII only.
 */
export function reasonIn(
  request: { header(name: string): string | undefined },
  header: string,
  longest: number,
): string | undefined {
  const encoded = request.header(header.toLowerCase());
  if (encoded === undefined) return undefined;
  const reason = decoded(encoded)?.trim() ?? '';
  if (reason !== '' && reason.length <= longest && !unprintable.test(reason)) return reason;
  throw badField(
    header,
    `must be a reason of 1 to ${longest} characters without control characters, percent-encoded as encodeURIComponent does`,
  );
}

const unprintable = /\p{Cc}/u;

/** Returns undefined for a text that is not percent-encoded UTF-8. */
function decoded(text: string): string | undefined {
  if (/[^\x20-\x7e]/.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
