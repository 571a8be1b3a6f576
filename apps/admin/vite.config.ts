import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressed } from './build/compressed.ts';

export default defineConfig({
  // Relative URLs: the server may be mounted at any path, which index.html names in its base element.
  base: './',
  plugins: [react(), compressed()],
  build: {
    target: 'es2023',
    // The first versions with light-dark(). Its fallback for older browsers would follow the system instead of the
    // chosen scheme.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The licences of the packages that are bundled.
    license: { fileName: 'third-party-licenses.md' },
    sourcemap: false,
    reportCompressedSize: false,
  },
  server: { proxy: { '^/(api|auth|invite|logout|health)': process.env.YARDARM_URL ?? 'http://localhost:4242' } },
});
