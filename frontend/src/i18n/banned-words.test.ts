import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from './languages'

/** Words that have a better one in docs/glossary.md. */
const banned: Record<Language, RegExp> = {
  en: /\b(anew|e-mails?|mails?|mailed|for ever|seal(s|ed|ing)?|may fail|card provider|shards?|sign(ed)? (in|out))\b/i,
  tr: /(?<!\p{L})(şifre(?!l)|mühür|e-?mail|oturum aç(?!ık)|paylaşımlı|sözcü[kğ]|takım (lider|üye)|kart sağlayıcı|kurtarma kit)/iu,
  ar: /كلمة السر|مختوم|ختم|إيميل|بيانات الدخول|توصيل|مزوّد البطاقات|حزمة (ال)?استرداد|أجزاء(?! (من ال)?سجل)|جزء احتياطي/u,
}

/** What people type into the search is theirs to choose. */
const searchWords = /[wW]ords"?:/

const consoleTexts = resolve(__dirname, 'locales')
const serverTexts = resolve(__dirname, '../../../backend/tessera/locales')
const commandTexts = resolve(__dirname, '../../../client/tessera_client/locales')

function linesOf(language: Language): string[] {
  const namespaces = readdirSync(join(consoleTexts, language)).map((name) => join(consoleTexts, language, name))
  // The English titles of calls are in the code.
  const ofCalls = language === 'en' ? [] : [join(serverTexts, `api.${language}.json`)]
  const others = [...ofCalls, ...[serverTexts, commandTexts].map((folder) => join(folder, `${language}.json`))]
  return [...namespaces, ...others].flatMap((path) => readFileSync(path, 'utf8').split('\n'))
}

/** Without keys, options and placeholders, such as --email, {email} and EMAIL. */
function textOf(line: string): string {
  return line.replace(/"(?:[^"\\]|\\.)+":/g, '').replace(/\{+\w+\}+|`[^`]*`|--[a-z-]+|\b[A-Z]{2,}\b/g, '')
}

describe.each(LANGUAGES)('the texts in %s', (language) => {
  it('use the words of the glossary', () => {
    const lines = linesOf(language)
    expect(lines.length).toBeGreaterThan(1000)
    expect(lines.filter((line) => !searchWords.test(line) && banned[language].test(textOf(line)))).toEqual([])
  })
})

describe('the texts in tr', () => {
  it('end no value with a suffix, whose vowels depend on the value', () => {
    expect(linesOf('tr').filter((line) => /\}(['’]\p{L}| d[ae](?!\p{L}))/u.test(line))).toEqual([])
  })
})
