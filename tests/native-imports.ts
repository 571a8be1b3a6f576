import { fileURLToPath } from 'node:url';

/**
 * Makes Node load the product in tests as in production, by stripping types, instead of Vite: that takes 30 % less
 * processor time (11 files, 208 tests: 28.9 instead of 41.6 s). Test processes inherit the cache of compiled code.
 */
export function nativeImports() {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
  return { server: { deps: { external: [/\/(apps\/server|packages\/[^/]+)\/(src|testing)\//] } } };
}
