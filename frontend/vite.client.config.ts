import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The page of `tess ui`. The client serves it from its own package. */
export default defineConfig({
  plugins: [react()],
  define: { __APP_VERSION__: JSON.stringify('') },
  resolve: { alias: { '@': here('./src') } },
  build: {
    outDir: '../client/tessera_client/ui/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: { client: here('client.html') } },
  },
})
