import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressed } from './build/compressed.ts';

export default defineConfig({
  // Relative URLs, because the server may be mounted at any path. The base element of index.html names that path.
  base: './',
  plugins: [react(), compressed()],
  build: {
    target: 'es2023',
    // The first browser versions with light-dark(). For older ones the bundler would write a fallback that follows the
    // color scheme of the system instead of the chosen one.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The file that gets the licences of the bundled packages.
    license: { fileName: 'third-party-licenses.md' },
    sourcemap: false,
    reportCompressedSize: false,
  },
  server: { proxy: { '^/(api|auth|invite|logout|health|docs)': process.env.YARDARM_URL ?? 'http://localhost:4242' } },
});
