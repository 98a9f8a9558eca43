import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { characters } from './subset-fonts.ts'

const subsets = readFileSync('src/theme/fonts.css', 'utf8')
  .split('@font-face')
  .filter((face) => face.includes('@fonts/'))
const covered = new Set(subsets.flatMap((face) => [...characters(face)]))

describe('The subset fonts', () => {
  it.each(['en', 'tr', 'ar'])('hold every character of our texts: %s', (language) => {
    const folder = `src/i18n/locales/${language}`
    const calls = `../backend/tessera/locales/api.${language}.json`
    const files = [...readdirSync(folder).map((file) => `${folder}/${file}`), ...(language === 'en' ? [] : [calls])]
    const texts = files.map((file) => readFileSync(file, 'utf8').replaceAll('\n', ''))
    expect([...new Set(texts.join(''))].filter((character) => !covered.has(character))).toEqual([])
  })
})
