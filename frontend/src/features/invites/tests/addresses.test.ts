import { describe, expect, it } from 'vitest'
import { addAddress, addPasted, holdsAddress } from '../dialog/addresses'

describe('an address as typed', () => {
  it('is added, without the blanks around it', () => {
    expect(addAddress(['a@b.test'], ' c@d.test ')).toEqual({ addresses: ['a@b.test', 'c@d.test'], problem: null })
  })

  // Specification: 5.26
  it.each(['nobody', 'a@b', 'a b@c.test', '@b.test', 'a@b.test.', 'a@@b.test', 'a@b,c.test'])('refuses %s', (text) => {
    expect(addAddress([], text)).toEqual({ addresses: [], problem: { kind: 'invalid', email: text } })
  })

  // Specification: 5.2
  it.each(['o’neil@b.test', 'ünal@örnek.com.tr', 'first+tag@sub.b.test', 'عمر@مثال.إختبار'])('takes %s', (text) => {
    expect(addAddress([], text).problem).toBeNull()
  })

  // Specification: 5.27
  it('is added once, whatever its case', () => {
    expect(addAddress(['a@b.test'], 'A@B.test').problem).toEqual({ kind: 'duplicate', email: 'A@B.test' })
  })
})

describe('a pasted text', () => {
  // Specification: 5.29
  it('gives all its addresses, each once', () => {
    const text = 'Ada <ada@b.test>; "Bo" <bo@b.test>,\nada@b.test\tCI@B.TEST mailto:dee@b.test. Nothing else.'
    expect(addPasted(['ci@b.test'], text)).toEqual(['ci@b.test', 'ada@b.test', 'bo@b.test', 'dee@b.test'])
  })

  it('of five hundred lines is taken whole', () => {
    const lines = Array.from({ length: 500 }, (_, n) => `person${n}@example.test`)
    expect(addPasted([], lines.join('\r\n'))).toEqual(lines)
  })

  it('without an address stays what it is', () => {
    expect(holdsAddress('half@an')).toBe(false)
    expect(addPasted(['a@b.test'], 'half@an')).toEqual(['a@b.test'])
  })
})
