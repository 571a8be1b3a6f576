const name = 'yardarm-login-refused';

/** Why the last login through a provider failed, told once: the server leaves it in a cookie for this page alone. */
export function takeRefusal(): string | undefined {
  const found = document.cookie.split('; ').find((one) => one.startsWith(`${name}=`));
  if (found === undefined) return undefined;
  // biome-ignore lint/suspicious/noDocumentCookie: the store that replaces it is not in every browser that we serve
  document.cookie = `${name}=; Path=${new URL(document.baseURI).pathname}; Max-Age=0`;
  try {
    return decodeURIComponent(found.slice(name.length + 1));
  } catch {
    return 'The login failed.';
  }
}
