import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { oneFile } from './scripts/one-file.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The frame that draws PDF files on the page of a share: one file, fetched when somebody wants to see one. */
export default defineConfig({
  plugins: [oneFile(here('pdf.html'), 'pdf.html', '')],
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
      input: here('src/pdf/main.ts'),
      output: { format: 'iife', codeSplitting: false },
    },
  },
})
