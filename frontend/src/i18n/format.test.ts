import { afterEach, describe, expect, it } from 'vitest'
import { formatDate, formatMoney, formatNumber, formatRelative } from './format'
import { i18n } from './i18n'

afterEach(async () => {
  await i18n.changeLanguage('en')
})

describe('formats', () => {
  it('follow the language', async () => {
    expect(formatMoney(75_000, 'usd')).toBe('$750')
    expect(formatMoney(75_050, 'usd')).toBe('$750.50')
    expect(formatDate('2026-03-09T12:00:00Z')).toBe('Mar 9, 2026')
    await i18n.changeLanguage('tr')
    expect(formatDate('2026-03-09T12:00:00Z')).toBe('9 Mar 2026')
    expect(formatNumber(1234.5)).toBe('1.234,5')
    expect(document.documentElement).toHaveAttribute('dir', 'ltr')
  })

  it('keep Latin digits in Arabic', async () => {
    await i18n.changeLanguage('ar')
    expect(formatNumber(42)).toBe('42')
    expect(formatDate('2026-03-09T12:00:00Z', 'long')).toMatch(/2026/)
    expect(document.documentElement).toHaveAttribute('dir', 'rtl')
  })

  it('say how long ago', () => {
    const now = '2026-03-09T12:00:00Z'
    expect(formatRelative('2026-03-09T11:58:00Z', now)).toBe('2 minutes ago')
    expect(formatRelative('2026-03-10T12:00:00Z', now)).toBe('tomorrow')
    expect(formatRelative('2026-03-09T11:59:59.900Z', now)).toBe('now')
  })
})
