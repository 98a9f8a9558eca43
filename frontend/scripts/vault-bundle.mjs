import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** Bundles one file of the reader, with what it imports, for a program or a page without a server. */
export async function bundleVault(input, file, platform) {
  const bundle = await rolldown({
    input,
    platform,
    resolve: { alias: { '@': fileURLToPath(new URL('../src', import.meta.url)) } },
  })
  await bundle.write({ file, format: platform === 'node' ? 'esm' : 'iife', codeSplitting: false })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [input, file, platform] = process.argv.slice(2)
  await bundleVault(input, file, platform)
}
