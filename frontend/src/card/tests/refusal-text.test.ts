import { describe, expect, it } from 'vitest'
import { refusalText } from '../provider'
import { textsOf } from '../texts'

describe('why a card was refused', () => {
  it.each([
    ['en', 'Your card has insufficient funds.'],
    ['tr', 'Kartınızın bakiyesi yetersiz.'],
    ['ar', 'رصيد بطاقتك غير كافٍ.'],
  ])('is said by its code in %s', (language, text) => {
    const error = { message: 'Provider’s words.', code: 'card_declined', decline_code: 'insufficient_funds' }
    expect(refusalText(error, textsOf(language))).toBe(text)
  })

  it('falls back to the error’s code, then to the provider’s words', () => {
    expect(refusalText({ message: 'x', code: 'expired_card', decline_code: 'new_code' }, textsOf('en'))).toBe(
      'Your card has expired.',
    )
    expect(refusalText({ message: 'x', code: 'new_code' }, textsOf('tr'))).toBe('x')
    expect(refusalText(null, textsOf('en'))).toBe(textsOf('en').refused)
  })
})
