import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { oneFile } from './scripts/one-file.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const versionFile = readFileSync(here('../core/tessera_core/version.py'), 'utf8')
const version = /"(.+)"/.exec(versionFile)?.[1] ?? ''

// Where each page is built. The console and the client's page were built there before.
const FOLDERS: Record<string, string> = {
  // Opens a share. The service sends its policy.
  share: '../backend/tessera/web',
  // The frame that draws PDF files on the page of a share, fetched when somebody wants to see one.
  pdf: '../backend/tessera/web',
  // Sends files to a request. The service sends its policy.
  request: '../backend/tessera/web',
  // The reader of the recovery kit, the same for everybody in a release. The client has it in its package.
  kit: '../client/tessera_client/ui/web',
}

/** A page that is one file, so that it works without an origin of its own: `vite build --mode share`. */
export default defineConfig(({ mode: page }) => ({
  plugins: [oneFile(here(`${page}.html`), `${page}.html`, version)],
  resolve: { alias: { '@': here('./src') } },
  publicDir: false,
  build: {
    outDir: FOLDERS[page],
    emptyOutDir: false,
    target: 'es2022',
    reportCompressedSize: false,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      input: here(`src/${page}/main.ts`),
      // There is none in a script that is not a module.
      transform: { define: { 'import.meta': '{}' } },
      output: { format: 'iife', codeSplitting: false },
    },
  },
}))
