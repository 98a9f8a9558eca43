import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync('src/theme/tokens.css', 'utf8')

function tokensIn(selector: string): Record<string, string> {
  const start = css.indexOf(selector)
  const block = css.slice(start, css.indexOf('}', start))
  const pairs = [...block.matchAll(/--t-([\w-]+): (#\w+);/g)]
  return Object.fromEntries(
    pairs.map(([, name = '', value = '']) => [name.replace(/-(\w)/g, (_, c: string) => c.toUpperCase()), value]),
  )
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const light = tokensIn(':root')
const tokens = { light, dark: { ...light, ...tokensIn("[data-theme='dark']") } }

describe.each(['light', 'dark'] as const)('%s palette', (mode) => {
  const contrastOf = (one: string, other: string) => contrast(tokens[mode][one]!, tokens[mode][other]!)

  it.each(['ink', 'inkSoft', 'primary', 'danger', 'success', 'warning'])('%s is readable on page and card', (name) => {
    expect(contrastOf(name, 'bg')).toBeGreaterThanOrEqual(4.5)
    expect(contrastOf(name, 'card')).toBeGreaterThanOrEqual(4.5)
  })

  it('buttons are readable', () => {
    for (const name of ['primary', 'danger', 'success', 'warning']) {
      expect(contrastOf('onPrimary', name)).toBeGreaterThanOrEqual(4.5)
    }
    expect(contrastOf('onTeal', 'teal')).toBeGreaterThanOrEqual(4.5)
  })
})
