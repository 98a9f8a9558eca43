// Reads what the build rendered: every public page in every language, with its facts and none of its placeholders.
import { existsSync, readFileSync } from 'node:fs'

const web = new URL('../../backend/tessera/web/', import.meta.url)
const locales = new URL('../src/i18n/locales/', import.meta.url)
const text = (language, namespace) =>
  JSON.parse(readFileSync(new URL(`${language}/${namespace}.json`, locales), 'utf8'))
const problems = []

function check(name, language, expected) {
  const file = new URL(`prerendered/${name}.${language}.html`, web)
  if (!existsSync(file)) return problems.push(`${name}.${language}.html is missing`)
  const html = readFileSync(file, 'utf8')
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  const words = html
    .replace(/<style.*?<\/style>|<[^>]*>/gs, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
  const lacks = (what) => problems.push(`${name}.${language}.html lacks ${what}`)
  for (const part of expected) if (!words.includes(part)) lacks(`“${part}”`)
  for (const part of [
    'content="__CSP_NONCE__"',
    `lang="${language}" dir="${direction}"`,
    'rel="stylesheet"',
    'method="dialog"'.repeat(name === 'login' || name === 'signup' ? 1 : 0),
  ]) {
    if (!html.includes(part)) lacks(part)
  }
  if (html.split('<h1').length !== 2) problems.push(`${name}.${language}.html has not exactly one h1`)
  if (/<script(?! src=)|<style(?! nonce="__CSP_NONCE__">)|style="|\son\w+="/.test(html))
    problems.push(`${name}.${language}.html breaks the content policy`)
  if (/>(hero|plan|sections|header|footer)\.\w+/.test(html))
    problems.push(`${name}.${language}.html shows the key of a text`)
}

for (const language of ['en', 'tr', 'ar']) {
  const { hero, plan } = text(language, 'content')
  const facts = ['clouds', 'upload', 'storage', 'recovery', 'monitoring', 'encryption'].map((fact) => plan[fact].title)
  check('index', language, [hero.title, hero.lead, '750', plan.trial, ...facts])
  const { login } = text(language, 'auth')
  check('login', language, [text(language, 'common').screens.login, login.text, login.forgot])
  const { password, promise } = text(language, 'signup')
  check('signup', language, [password.title, password.text, promise])
  const { title, sections } = text(language, 'agreement')
  check('agreement', language, [title, ...Object.values(sections).map((section) => section.title)])
}

// The boot script fetches ahead by name; a wrong one would cost a request and an error on every visit.
const boot = /assets\/boot-[^"]+\.js/.exec(readFileSync(new URL('index.html', web), 'utf8'))?.[0]
if (!boot) problems.push('index.html names no boot script')
for (const [, file] of readFileSync(new URL(boot ?? 'index.html', web), 'utf8').matchAll(/"\/(assets\/[^"]+)"/g)) {
  if (!existsSync(new URL(file, web))) problems.push(`the boot script names ${file}, which is missing`)
}

for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log('The public pages stand in the HTML, in every language.')
process.exit(problems.length === 0 ? 0 : 1)
