import { describe, expect, it } from 'vitest'
import { LANGUAGES } from './languages'

const files = import.meta.glob<Record<string, Record<string, string>>>('./locales/*/auth.json', {
  eager: true,
  import: 'default',
})

describe.each(LANGUAGES)('texts in %s that send people to support', (language) => {
  it.each(['selfTest', 'weakSalt', 'keysDoNotOpen', 'passphraseRollback'])('name its address: %s', (key) => {
    expect(files[`./locales/${language}/auth.json`]?.crypto?.[key]).toContain('{{support}}')
  })
})
