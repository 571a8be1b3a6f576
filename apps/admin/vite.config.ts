import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressed } from './build/compressed.ts';

export default defineConfig({
  // Below whatever path the server is mounted at: index.html says which.
  base: './',
  plugins: [react(), compressed()],
  build: {
    target: 'es2023',
    // The first to know light-dark(): what stands in for it in older ones follows the system and not what the person chose.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    reportCompressedSize: false,
  },
  server: { proxy: { '^/(api|auth|invite|logout|health)': process.env.YARDARM_URL ?? 'http://localhost:4242' } },
});
