const name = 'yardarm-login-refused';

/** Returns why the last login through a provider failed, and forgets it. The server leaves the reason in a cookie. */
export function takeLoginError(): string | undefined {
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  if (found === undefined) return undefined;
  // biome-ignore lint/suspicious/noDocumentCookie: not all supported browsers have the Cookie Store API
  document.cookie = `${name}=; Path=${new URL(document.baseURI).pathname}; Max-Age=0`;
  try {
    return decodeURIComponent(found.slice(name.length + 1));
  } catch {
    return 'The login failed.';
  }
}
