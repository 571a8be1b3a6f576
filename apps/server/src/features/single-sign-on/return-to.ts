/**
 * Where a browser may be led after a login: the path that was asked for when it is one here, or else the start page. What
 * leads to another host would lend our good name to whoever made the link.
 */
export function ownPath(asked: string | undefined, basePath: string): string {
  const start = `${basePath}/`;
  if (asked === undefined || !asked.startsWith('/')) return start;
  // Browsers read a backslash as a slash and leave out tabs and line breaks, so the URL is read as they read it.
  const here = 'http://here.invalid';
  const url = URL.parse(asked, here);
  if (url === null || url.origin !== here || url.pathname.startsWith('//')) return start;
  const path = url.pathname + url.search + url.hash;
  return path === basePath || path.startsWith(start) ? path : basePath + path;
}
