import type { RouteTable } from '@yardarm/contract';

/** Answers, for a path, the methods it takes when the routes of `table` stand below `basePath`: the `Allow` of a 405. */
export function allowedMethodsOf(table: RouteTable, basePath: string): (path: string) => readonly string[] {
  const patterns = Object.keys(table).map((key) => {
    const [method, url] = key.split(' ') as [string, string];
    const source = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)));
    return { method, pattern: new RegExp(`^${RegExp.escape(basePath)}${source.join('/')}/?$`) };
  });
  return (path) => {
    const clean = path.replace(/\/{2,}/g, '/');
    const taken = patterns.filter(({ pattern }) => pattern.test(clean)).map(({ method }) => method);
    // Whoever takes GET takes HEAD.
    return [...new Set(taken.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
  };
}
