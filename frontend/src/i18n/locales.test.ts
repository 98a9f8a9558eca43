import { describe, expect, it } from 'vitest'
import { LANGUAGES } from './languages'

type Texts = { [key: string]: string | Texts | (string | Texts)[] }

const files = import.meta.glob<Texts>('./locales/*/*.json', { eager: true, import: 'default' })
const plural = /_(zero|one|two|few|many|other)$/

function leaves(texts: Texts, prefix = ''): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${prefix}${key}`, value] as [string, string]]
      : leaves(value as Texts, `${prefix}${key}.`),
  )
}

function textsOf(language: string, namespace: string): [key: string, text: string][] {
  return leaves(files[`./locales/${language}/${namespace}.json`] ?? {})
}

const keysOf = (language: string, namespace: string) =>
  [...new Set(textsOf(language, namespace).map(([key]) => key.replace(plural, '')))].sort()

const placeholders = (text: string) => [...text.matchAll(/{{\s*(\w+)/g)].map(([, name]) => name).sort()

const namespaces = [...new Set(Object.keys(files).map((path) => /([\w-]+)\.json$/.exec(path)?.[1] ?? ''))]
const pairs = namespaces.flatMap((namespace) => LANGUAGES.map((language) => ({ namespace, language })))

describe.each(pairs)('$language/$namespace', ({ language, namespace }) => {
  // Specification: 1.18, 9.27
  it('has the keys of English', () => {
    expect(keysOf(language, namespace)).toEqual(keysOf('en', namespace))
  })

  it('leaves nothing empty', () => {
    expect(textsOf(language, namespace).filter(([, text]) => text.trim() === '')).toEqual([])
  })

  it('fills in the same values as English', () => {
    const english = new Map(textsOf('en', namespace))
    for (const [key, text] of textsOf(language, namespace)) {
      const original = english.get(key) ?? english.get(`${key}_other`)
      if (original === undefined || plural.test(key)) continue
      expect({ key, names: placeholders(text) }).toEqual({ key, names: placeholders(original) })
    }
  })

  it('fills in the same values as English in counted texts, or fewer where the words say the number', () => {
    const english = new Map(textsOf('en', namespace))
    for (const [key, text] of textsOf(language, namespace)) {
      if (!plural.test(key)) continue
      const stem = key.replace(plural, '')
      const original = placeholders(english.get(`${stem}_other`) ?? english.get(stem) ?? '')
      if (key.endsWith('_other')) expect({ key, names: placeholders(text) }).toEqual({ key, names: original })
      else
        expect({ key, unknown: placeholders(text).filter((name) => !original.includes(name)) }).toEqual({
          key,
          unknown: [],
        })
    }
  })

  it('has every plural form that the language knows', () => {
    const texts = textsOf(language, namespace)
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const counted = new Set(texts.map(([key]) => key).filter((key) => /_other$/.test(key)))
    for (const key of counted) {
      const stem = key.replace(plural, '')
      const present = texts.filter(([name]) => name.replace(plural, '') === stem && plural.test(name))
      const missing = forms.filter((form) => !present.some(([name]) => name === `${stem}_${form}`))
      expect({ stem, missing }).toEqual({ stem, missing: [] })
    }
  })

  it('writes a counted text once where every form is the same', () => {
    const texts = new Map(textsOf(language, namespace))
    // None at all may have its own words beside the one form.
    const counted = [...texts.keys()].filter((key) => plural.test(key) && !key.endsWith('_zero'))
    for (const stem of new Set(counted.map((key) => key.replace(plural, '')))) {
      const forms = counted.filter((key) => key.replace(plural, '') === stem).map((key) => texts.get(key))
      expect({ stem, same: new Set(forms).size === 1, twice: texts.has(stem) }).toEqual({
        stem,
        same: false,
        twice: false,
      })
    }
  })
})
