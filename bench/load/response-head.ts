/** The server did not send a well-formed HTTP/1.1 answer to the request in flight. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

/** How the end of an answer's body is found; the number is the body's length in bytes. */
export type Framing = number | 'chunked' | 'until-close';

export interface ResponseHead {
  readonly status: number;
  readonly framing: Framing;
  /** False when the server is about to close the connection. */
  readonly keepAlive: boolean;
}

/**
 * Reads status and framing from a head without its empty line (RFC 9112 sections 4, 6.3, 9.3). Ignores everything else,
 * which makes it cheap. Throws MalformedAnswer.
 */
export function parseHead(text: string, requestMethod: string): ResponseHead {
  const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: |\r|$)/.exec(text);
  if (statusLine === null) throw new MalformedAnswer(`not a status line: ${JSON.stringify(text.slice(0, 80))}`);
  const status = Number(statusLine[2]);
  const lower = text.toLowerCase();
  const framing = framingOf(lower, status, requestMethod);
  const connection = field(lower, 'connection');
  const persistent =
    statusLine[1] === '1' ? !connection?.includes('close') : connection?.includes('keep-alive') === true;
  return { status, framing, keepAlive: persistent && framing !== 'until-close' };
}

function framingOf(lowerHead: string, status: number, requestMethod: string): Framing {
  if (requestMethod === 'HEAD' || status === 204 || status === 304 || status < 200) return 0;
  const coding = field(lowerHead, 'transfer-encoding');
  if (coding !== undefined) return /(?:^|,)\s*chunked$/.test(coding) ? 'chunked' : 'until-close';
  const length = field(lowerHead, 'content-length');
  if (length === undefined) return 'until-close';
  if (!/^\d{1,15}$/.test(length)) throw new MalformedAnswer(`not a content length: ${JSON.stringify(length)}`);
  return Number(length);
}

/**
 * Returns the trimmed value of a header field, or undefined without the field. Values of a repeated field are joined by
 * commas.
 */
function field(lowerHead: string, name: string): string | undefined {
  const start = `\r\n${name}:`;
  let joined: string | undefined;
  for (let at = lowerHead.indexOf(start); at >= 0; at = lowerHead.indexOf(start, at + start.length)) {
    const end = lowerHead.indexOf('\r\n', at + start.length);
    const value = lowerHead.slice(at + start.length, end < 0 ? undefined : end).trim();
    joined = joined === undefined ? value : `${joined},${value}`;
  }
  return joined;
}
