import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { bootScript } from './scripts/boot-script.ts'
import { buildOptions } from './scripts/build-options.ts'
import { chunkGroups } from './scripts/chunks.ts'
import { leanPackages } from './scripts/lean-packages.ts'
import { precompress } from './scripts/precompress.ts'
import { prerender } from './scripts/prerender.ts'
import { routeTable } from './scripts/route-table.ts'
import { slowestTests } from './scripts/slowest-tests.ts'
import { subsetFonts } from './scripts/subset-fonts.ts'

const versionFile = readFileSync(new URL('../core/tessera_core/version.py', import.meta.url), 'utf8')
const version = /"(.+)"/.exec(versionFile)?.[1] ?? ''
const server = 'http://127.0.0.1:8000'
/** Of a style sheet's path, as long as its classes need to be told apart from those of others. */
const hashOf = (file: string) =>
  createHash('sha256')
    .update(relative(here('.'), file))
    .digest('base64url')
    .slice(0, 4)
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  plugins: [react(), routeTable(), leanPackages(), subsetFonts(), bootScript(), precompress(), prerender()],
  define: { __APP_VERSION__: JSON.stringify(version) },
  resolve: { alias: { '@': here('./src') } },
  server: { proxy: { '/api/': server, '/sandbox': server, '/healthz': server } },
  css: { modules: { generateScopedName: (name, file) => `${name}_${hashOf(file)}` } },
  build: {
    outDir: '../backend/tessera/web',
    ...buildOptions,
    rolldownOptions: {
      // What a page does not use of another feature's index is left out of its chunk.
      treeshake: { moduleSideEffects: [{ test: /\/features\/[^/]+\/index\.ts$/, sideEffects: false }] },
      // The card form is a separate page, for a separate origin.
      input: { index: here('index.html'), card: here('card.html') },
      output: {
        codeSplitting: { groups: chunkGroups },
        // Every lazy import lists what it loads: full names would cost each page 1.5 KB. The manifest has them.
        chunkFileNames: 'assets/[hash].js',
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.css')) ? 'assets/[hash][extname]' : 'assets/[name]-[hash][extname]',
      },
    },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['src/testing/setup.ts'],
    include: ['{src,scripts}/**/*.test.{ts,tsx}'],
    // All files of a worker share the libraries and the window; src/testing/page.ts resets what is ours.
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 90_000,
    reporters: ['default', slowestTests],
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
})
