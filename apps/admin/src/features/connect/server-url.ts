const loopback = /^(localhost|127\.|0\.0\.0\.0|\[::1?\])/;

/**
 * Returns the address that applications reach the server by, without a trailing slash: its public URL. Where the server
 * knows only the loopback address that it listens on, the address in the browser.
 */
export function serverUrl(publicUrl: string, browserUrl: string): string {
  const isLocal = loopback.test(new URL(publicUrl).host);
  return (isLocal ? new URL('.', browserUrl).href : publicUrl).replace(/\/+$/, '');
}
