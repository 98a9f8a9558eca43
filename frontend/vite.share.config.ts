import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { oneFile } from './scripts/one-file.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The page of a share: one file, so that it works without an origin of its own. The service sends its policy. */
export default defineConfig({
  plugins: [oneFile(here('share.html'), 'share.html', '')],
  resolve: { alias: { '@': here('./src') } },
  publicDir: false,
  build: {
    outDir: '../backend/tessera/web',
    // The console was built there before.
    emptyOutDir: false,
    target: 'es2022',
    reportCompressedSize: false,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      input: here('src/share/main.ts'),
      output: { format: 'iife', codeSplitting: false },
    },
  },
})
