const loopback = /^(localhost|127\.|0\.0\.0\.0|\[::1?\])/;

/**
 * Returns the address that applications reach the server by, without a trailing slash. This is the public URL of the
 * server; if that is a loopback address, it is the address in the browser.
 */
export function serverUrl(publicUrl: string, browserUrl: string): string {
  const isLocal = loopback.test(new URL(publicUrl).host);
  return (isLocal ? new URL('.', browserUrl).href : publicUrl).replace(/\/+$/, '');
}
