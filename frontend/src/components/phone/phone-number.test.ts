import { describe, expect, it } from 'vitest'
import { countries, isPlausible, toInternational } from './phone-number'

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

describe('a number that its country does not have', () => {
  it.each([
    ['2025550', 'US', '+12025550'],
    ['+1 202 555 01012', 'US', '+120255501012'],
    ['+999 123 4567', 'US', '+9991234567'],
  ] as const)('is accepted but doubtful: %s', (number, country, international) => {
    expect(toInternational({ country, number })).toBe(international)
    expect(isPlausible({ country, number })).toBe(false)
  })

  it('is distinguished from one that exists', () => {
    expect(isPlausible({ country: 'US', number: '(202) 555-0101' })).toBe(true)
  })
})

describe('countries', () => {
  it('are all there, by name', () => {
    const list = countries()
    expect(list.length).toBeGreaterThan(200)
    expect(list.find(({ code }) => code === 'TR')).toEqual({ code: 'TR', name: 'Türkiye', calling: '+90' })
  })
})
