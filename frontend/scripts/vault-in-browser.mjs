import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { launch } from 'puppeteer-core'
import { bundleVault } from './vault-bundle.mjs'

/*
 * Runs every vector of the storage format in a page that a browser opens from disk, and prints what failed.
 * node scripts/vault-in-browser.mjs chrome|firefox EXECUTABLE FOLDER; the folder is for the page.
 */

const [browserName, executablePath, folder] = process.argv.slice(2)
const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const inScript = (text) => text.replaceAll('</script', '<\\/script')

await bundleVault(here('../src/vault/tests/vectors-in-page.ts'), join(folder, 'page.js'), 'browser')
await bundleVault(here('../src/vault/vault.worker.ts'), join(folder, 'worker.js'), 'browser')
const worker = readFileSync(join(folder, 'worker.js'), 'utf8')
const vectors = readFileSync(here('../../docs/vectors/storage-v1.json'), 'utf8')
const policy =
  "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; connect-src data:"
const page = join(folder, 'vectors.html')
writeFileSync(
  page,
  `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<script>${inScript(readFileSync(join(folder, 'page.js'), 'utf8'))}</script>
<script>globalThis.workerCode = ${inScript(JSON.stringify(worker))}; globalThis.vectors = ${inScript(vectors)}</script>`,
)

const browser = await launch({
  browser: browserName,
  executablePath,
  headless: true,
  protocolTimeout: 600_000,
  args: browserName === 'chrome' ? ['--no-sandbox'] : [],
})
try {
  const tab = await browser.newPage()
  await tab.goto(pathToFileURL(page).href)
  const result = await tab.evaluate(() => globalThis.runVectors(globalThis.vectors, globalThis.workerCode))
  console.log(JSON.stringify({ ...result, browser: await browser.version() }))
} finally {
  await browser.close()
}
