import { describe, expect, it } from 'vitest'
import { normalizeText } from './normalize-text'

describe('normalizeText', () => {
  it.each([
    ['İNDİR', 'indir'],
    ['indır', 'indir'],
    ['ŞİRKETLER', 'sirketler'],
    ['Zürich', 'zurich'],
    ['أعضاء', 'اعضاء'],
    ['المساعَدة', 'المساعده'],
  ])('reads %s as %s', (text, folded) => {
    expect(normalizeText(text)).toBe(normalizeText(folded))
  })
})
