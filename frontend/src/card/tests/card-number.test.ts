import { describe, expect, it } from 'vitest'
import { digitsOf, groupExpiry, groupNumber, kindOf, passesLuhn, readExpiry } from '../card-number'

describe('card numbers', () => {
  it.each([
    ['4242424242424242', '4242 4242 4242 4242', 'visa'],
    ['5555555555554444', '5555 5555 5555 4444', 'mastercard'],
    ['378282246310005', '3782 822463 10005', 'amex'],
    ['6011111111111117', '6011 1111 1111 1117', 'discover'],
    ['30569309025904', '3056 9309 0259 04', 'diners'],
    ['9', '9', 'unknown'],
  ])('%s is shown as %s', (digits, shown, brand) => {
    expect(groupNumber(digits)).toBe(shown)
    expect(kindOf(digits).brand).toBe(brand)
  })

  it('reads the digits of every keyboard', () => {
    expect(digitsOf('٤٢٤٢ ۴۲ 42-x')).toBe('42424242')
  })

  it.each(['4242424242424242', '378282246310005', '4000002500003155'])('%s may be one', (digits) => {
    expect(passesLuhn(digits)).toBe(true)
  })

  it.each(['', '0000', '4242424242424241', '4242'])('%s is none', (digits) => {
    expect(passesLuhn(digits)).toBe(false)
  })
})

describe('expiry', () => {
  it.each([
    ['1', '1'],
    ['4', '04'],
    ['12', '12'],
    ['1234', '12 / 34'],
    ['12/345', '12 / 34'],
    ['٠٤٣١', '04 / 31'],
  ])('%s is shown as %s', (typed, shown) => {
    expect(groupExpiry(typed)).toBe(shown)
  })

  it('is a month and a year, or nothing', () => {
    expect(readExpiry('04 / 31')).toEqual({ month: 4, year: 2031 })
    expect(readExpiry('13 / 31')).toBeNull()
    expect(readExpiry('04 / 3')).toBeNull()
  })
})
