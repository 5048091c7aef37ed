import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// The built page goes where the server serves it from; the wheel carries it.
const server = process.env.CABOCHON_SERVER ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../src/cabochon/server/static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // One file of what every page needs: many small ones pack badly and are asked for one by one.
        codeSplitting: { groups: [{ name: 'table', tags: ['$initial'] }] },
        // Words carry their part's name: studio.en-….js
        chunkFileNames: ({ facadeModuleId }) => {
          const [, part, lang] = /src\/(\w+)\/([a-z]{2})\.ts$/.exec(facadeModuleId ?? '') ?? [];
          return `assets/${lang ? `${part}.${lang}` : '[name]'}-[hash].js`;
        },
      },
    },
  },
  server: {
    fs: { allow: ['..'] },
    proxy: { '/api': { target: server, ws: true } },
  },
  test: { include: ['tests/**/*.test.{ts,mjs}'] },
});
