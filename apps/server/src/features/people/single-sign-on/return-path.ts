/**
 * Returns the path to open after a login: the requested one when it is a path of this service, otherwise the start
 * page. Prevents an open redirect: a login link must not lead to another host.
 */
export function safeReturnPath(redirect: string | undefined, basePath: string): string {
  const start = `${basePath}/`;
  if (redirect === undefined || !redirect.startsWith('/')) return start;
  // The WHATWG parser reads the URL like browsers do: a backslash counts as a slash, tabs and line breaks are dropped.
  const here = 'http://here.invalid';
  const url = URL.parse(redirect, here);
  if (url === null || url.origin !== here || url.pathname.startsWith('//')) return start;
  const path = url.pathname + url.search + url.hash;
  return path === basePath || path.startsWith(start) ? path : basePath + path;
}
