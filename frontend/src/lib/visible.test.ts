import { describe, expect, it } from 'vitest'
import { visible, visibleValue } from './visible'

describe('a name that somebody else has chosen', () => {
  it.each([
    ['report şey عربي 👨‍👩‍👧.txt', 'report şey عربي 👨‍👩‍👧.txt'],
    ['invoice\u202efdp.exe', 'invoice\\u202efdp.exe'],
    ['\u2067a\u2069\u200f', '\\u2067a\\u2069\\u200f'],
    ['a\nb\u001b\u009b', 'a\\x0ab\\x1b\\x9b'],
    ['\u200b\ufeff\u2028', '\\u200b\\ufeff\\u2028'],
    ['\u{e0041}\ud800', '\\U000e0041\\ud800'],
  ])('shows %j as %s', (name, shown) => {
    expect(visible(name)).toBe(shown)
  })
})

describe('a value within a sentence', () => {
  it('keeps what formatting has added', () => {
    expect(visibleValue('\u2068Basic\u2069 \u200f1')).toBe('\u2068Basic\u2069 \u200f1')
  })

  it.each([
    ['\u202efdp.exe', '\\u202efdp.exe'],
    ['\u2067open', '\\u2067open'],
    ['a\nb', 'a\\x0ab'],
    ['closed\u2069\u2067', 'closed\\u2069\\u2067'],
  ])('cannot reorder the sentence by %j', (value, shown) => {
    expect(visibleValue(value)).toBe(shown)
  })
})
