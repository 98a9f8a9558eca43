import { normalisePassphrase } from './passphrase'
import { repeatedUnit, sequentialShare } from './patterns'

/** 0 very weak, 1 weak, 2 fair, 3 good, 4 strong. */
export type Strength = 0 | 1 | 2 | 3 | 4

// Guesses, as powers of two, at which a meter step is reached.
const thresholds = [28, 40, 54, 70]
// A run of letters is taken for a word, never for random letters: whoever guesses tries words
// first, and a meter that flatters is worse than none. Very long words count a little more.
const wordBits = 11
const usualWordLetters = 8
const bitsPerFurtherLetter = 1.5
const bitsPerLetter = 4.7
const bitsPerIdeograph = 8
const bitsPerDigit = 3.3
const bitsPerYear = 6
const bitsPerSign = 4
const bitsPerRepeat = 1
const capitalBits = 1
const mixedCaseBits = 4
// The words everybody thinks of first.
const obvious = new Set(
  (
    'password passphrase secret welcome letmein qwerty admin love iloveyou hello monkey dragon ' +
    'tessera parola şifre sifre كلمة السر مرحبا'
  ).split(' '),
)

/** An estimate on the low side, made without a dictionary, and worth no more than that. */
export function passphraseStrength(typed: string): Strength {
  const bits = passphraseBits(normalisePassphrase(typed))
  return thresholds.filter((threshold) => bits >= threshold).length as Strength
}

function passphraseBits(passphrase: string): number {
  const unit = repeatedUnit(passphrase)
  const seen = new Set<string>()
  let bits = unit === passphrase ? 0 : bitsPerRepeat
  for (const token of unit.match(/\p{Script=Han}+|[\p{L}\p{M}]+|\p{Nd}+|\s+|[^\p{L}\p{M}\p{Nd}\s]+/gu) ?? []) {
    const known = token.toLowerCase()
    bits += seen.has(known) ? repeatBits(token) : tokenBits(token)
    seen.add(known)
  }
  return bits
}

function repeatBits(token: string): number {
  // Whoever has put one blank or dash between words puts the others too.
  return /[\p{L}\p{Nd}]/u.test(token) ? bitsPerRepeat : 0
}

function tokenBits(token: string): number {
  const length = Array.from(token).length
  if (/^\s/u.test(token)) return bitsPerRepeat
  if (length > 2 && sequentialShare(token) > 0.7) return 4
  if (/^\p{Script=Han}/u.test(token)) return length * bitsPerIdeograph
  if (/^(19|20)\d\d$/.test(token)) return bitsPerYear
  const different = new Set(token).size
  if (/^\p{Nd}/u.test(token)) return different * bitsPerDigit + (length - different)
  if (/^[\p{L}\p{M}]/u.test(token)) return letterBits(token, length)
  return different * bitsPerSign + (length - different) * bitsPerRepeat
}

function letterBits(token: string, length: number): number {
  const lower = token.toLowerCase()
  if (obvious.has(lower)) return 2
  const further = Math.max(0, length - usualWordLetters) * bitsPerFurtherLetter
  const bits = Math.min(length * bitsPerLetter, wordBits + further)
  const sameThroughout = new Set(lower).size === 1
  return (sameThroughout ? bitsPerLetter + bitsPerRepeat : bits) + caseBits(token)
}

function caseBits(token: string): number {
  if (/^\P{Lu}+$/u.test(token)) return 0
  // A capital in front or capitals throughout are the first things tried.
  return /^\p{Lu}(\P{Lu}*|\p{Lu}*)$/u.test(token) ? capitalBits : mixedCaseBits
}
