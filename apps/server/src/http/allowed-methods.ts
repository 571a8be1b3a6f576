import type { RouteTable } from '@yardarm/contract';

/**
 * Returns a function that lists the methods of a path for the `Allow` header of a 405. The routes are below `basePath`.
 */
export function allowedMethodsOf(table: RouteTable, basePath: string): (path: string) => readonly string[] {
  const patterns = Object.keys(table).map((key) => {
    const [method, url] = key.split(' ') as [string, string];
    const source = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)));
    return { method, pattern: new RegExp(`^${RegExp.escape(basePath)}${source.join('/')}/?$`) };
  });
  return (path) => {
    const clean = path.replace(/\/{2,}/g, '/');
    const taken = patterns.filter(({ pattern }) => pattern.test(clean)).map(({ method }) => method);
    // Routes with GET also accept HEAD.
    return [...new Set(taken.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
  };
}
