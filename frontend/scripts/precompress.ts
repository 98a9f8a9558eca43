import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const text = /\.(js|css|svg|json|txt|webmanifest|wasm)$/
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Writes `.br` and `.gz` beside every text file, so that the server never compresses a fixed file itself.
 *  index.html is left out: the server fills in a nonce on each request. */
export function precompress(): Plugin {
  return {
    name: 'tessera:precompress',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    enforce: 'post',
    async writeBundle(options) {
      const folder = options.dir
      if (!folder) return
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      for (const entry of entries) {
        if (!entry.isFile() || !text.test(entry.name) || entry.parentPath.includes('.vite')) continue
        const path = join(entry.parentPath, entry.name)
        const body = await readFile(path)
        const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
        await writeFile(`${path}.br`, await brotli(body, { params: quality }))
        await writeFile(`${path}.gz`, await zip(body, { level: constants.Z_BEST_COMPRESSION }))
      }
    },
  }
}
