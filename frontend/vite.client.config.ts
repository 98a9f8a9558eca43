import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { buildOptions } from './scripts/build-options.ts'
import { leanPackages } from './scripts/lean-packages.ts'
import { subsetFonts } from './scripts/subset-fonts.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The page of `tess ui`. The client serves it from its own package. */
export default defineConfig({
  plugins: [react(), leanPackages(), subsetFonts()],
  define: { __APP_VERSION__: JSON.stringify('') },
  resolve: { alias: { '@': here('./src') } },
  build: {
    outDir: '../client/tessera_client/ui/web',
    ...buildOptions,
    rolldownOptions: { input: { client: here('client.html') } },
  },
})
