import { fileURLToPath } from 'node:url';

/**
 * Lets Node load the product in tests as in production, by stripping types, instead of Vite: 30 % less processor time
 * (11 files, 208 tests: 41.6 to 28.9 s). Test processes inherit the cache of compiled code.
 */
export function nativeImports() {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
  return { server: { deps: { external: [/\/(apps\/server|packages\/[^/]+)\/(src|testing)\//] } } };
}
