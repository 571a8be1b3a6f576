const timeoutMs = 5000;
const maxBytes = 20_000;

/** Returns the text of an HTTPS URL. Follows no redirect. Rejects after 5 s, for another status, and over 20 kB. */
export async function fetchText(url: string): Promise<string> {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  if (!answer.ok) throw new Error(`the answer has the status ${answer.status}`);
  return Buffer.concat(chunks).toString();
}
