import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { launch } from 'puppeteer-core'

/*
 * Opens the recovery kit's reader from disk in Firefox and downloads everything as ZIP files; prints the verdict.
 * node scripts/kit-in-firefox.mjs FIREFOX KIT PASSPHRASE CODE DOWNLOADS COPY...
 */

const [executablePath, kit, passphrase, code, downloads, ...copies] = process.argv.slice(2)

function filesOf(copy) {
  return readdirSync(copy, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path: relative(join(copy, '..'), path), data: readFileSync(path).toString('base64') }))
}

/** WebDriver cannot choose folders in Firefox: the field is given what it would hold. */
function choose(files) {
  const field = document.querySelector('[name=folders]')
  const chosen = files.map(({ path, data }) => {
    const file = new File([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))], 'file')
    Object.defineProperty(file, 'webkitRelativePath', { value: path })
    return file
  })
  Object.defineProperty(field, 'files', { value: chosen, configurable: true })
  field.dispatchEvent(new Event('change'))
}

const browser = await launch({
  browser: 'firefox',
  executablePath,
  headless: true,
  protocolTimeout: 120_000,
  extraPrefsFirefox: {
    'browser.download.folderList': 2,
    'browser.download.dir': downloads,
    'browser.helperApps.neverAsk.saveToDisk': 'application/zip',
  },
})
try {
  const tab = await browser.newPage()
  const problems = []
  tab.on('pageerror', (error) => problems.push(String(error)))
  tab.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await tab.goto(pathToFileURL(kit).href)
  for (const copy of copies) await tab.evaluate(choose, filesOf(copy))
  await tab.type('[name=passphrase]', passphrase)
  await tab.type('[name=code]', code)
  await tab.click('[type=submit]')
  await tab.waitForSelector('.space', { timeout: 60_000 })
  await tab.click('[data-action=restore-all]')
  await tab.waitForSelector('[data-result]', { timeout: 60_000 })
  const verdict = await tab.$eval('[data-result]', (element) => element.dataset.result)
  const isWritten = () => readdirSync(downloads).some((name) => name.endsWith('.zip'))
  for (let at = 0; at < 100 && !(isWritten() && readdirSync(downloads).length === 1); at += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  console.log(JSON.stringify({ verdict, problems, browser: await browser.version() }))
} finally {
  await browser.close()
}
