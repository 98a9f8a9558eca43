import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { oneFile } from './scripts/one-file.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const versionFile = readFileSync(here('../core/tessera_core/version.py'), 'utf8')
const version = /"(.+)"/.exec(versionFile)?.[1] ?? ''

/** The reader of the recovery kit: one file, the same for everybody in a release. The client has it in its package. */
export default defineConfig({
  plugins: [oneFile(here('kit.html'), 'kit.html', version)],
  resolve: { alias: { '@': here('./src') } },
  publicDir: false,
  build: {
    outDir: '../client/tessera_client/ui/web',
    // The client's page was built there before.
    emptyOutDir: false,
    target: 'es2022',
    reportCompressedSize: false,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      input: here('src/kit/main.ts'),
      output: { format: 'iife', codeSplitting: false },
    },
  },
})
