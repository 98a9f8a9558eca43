import { describe, expect, it } from 'vitest'
import { findPassphraseProblem, normalisePassphrase } from './passphrase'
import { passphraseStrength } from './passphrase-strength'

describe('findPassphraseProblem', () => {
  it.each([
    ['', 'tooShort'],
    ['   seven 7   ', 'tooShort'],
    ['eight  8', null],
    ['x'.repeat(510), null],
    ['x'.repeat(511), 'tooLong'],
    ['é'.repeat(256), 'tooLong'],
    // Two code points each until they are composed.
    ['e\u0301'.repeat(7), 'tooShort'],
    ['e\u0301'.repeat(255), null],
  ])('of %j: %s', (typed, problem) => {
    expect(findPassphraseProblem(typed)).toBe(problem)
  })

  it('compares in the form that is sealed', () => {
    expect(normalisePassphrase(' Gu\u0308nes\u0327 ')).toBe('Güneş')
  })
})

describe('passphraseStrength', () => {
  it.each([
    ['', 0],
    ['password', 0],
    ['aaaaaaaaaaaaaaaaaaaaaaaa', 0],
    ['12345678901234567890', 0],
    ['abcdefghijklmnop', 0],
    ['mosaic mosaic mosaic mosaic', 0],
    ['Password1234', 0],
    ['mosaic2026', 0],
    ['three clouds', 0],
    ['green tile window', 1],
    ['three clouds, one mosaic', 2],
    ['correct horse battery staple', 2],
    ['correct horse battery staple marble', 3],
    ['correct horse battery staple marble violin', 3],
    ['correct horse battery staple marble violin 83', 4],
    ['k7#Xq9!vLp2$', 2],
    ['k7#Xq9!vLp2$wZ8&m', 4],
    ['سبع بلاطات زرقاء عند النافذة', 3],
    ['yedi renkli çini sokağı', 2],
  ])('of %j: %i', (passphrase, strength) => {
    expect(passphraseStrength(passphrase)).toBe(strength)
  })
})
