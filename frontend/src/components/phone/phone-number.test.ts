import { describe, expect, it } from 'vitest'
import { countries, toInternational } from './phone-number'

describe('toInternational', () => {
  // Specification: 5.3
  it.each([
    ['(202) 555-0101', 'US', '+12025550101'],
    ['+90 532 000 00 00', 'US', '+905320000000'],
    ['0532 000 00 00', 'TR', '+905320000000'],
    ['٠٥٠ ١٢٣ ٤٥٦٧', 'AE', '+971501234567'],
  ] as const)('reads %s from %s as %s', (text, country, number) => {
    expect(toInternational({ country, number: text })).toBe(number)
  })

  it.each(['', '12', 'call me', '+1', '+1202555010112345678'])('refuses %j', (text) => {
    expect(toInternational({ country: 'US', number: text })).toBeNull()
  })
})

describe('countries', () => {
  it('are all there, by name', () => {
    const list = countries()
    expect(list.length).toBeGreaterThan(200)
    expect(list.find(({ code }) => code === 'TR')).toEqual({ code: 'TR', name: 'Türkiye', calling: '+90' })
  })
})
