import { describe, expect, it } from 'vitest'
import { findPasswordProblem } from './password-rules'

const email = 'marta.keller@northwind.test'

describe('findPasswordProblem', () => {
  it.each([
    'mosaic-Tile-2026',
    'correct horse battery staple',
    'k7#Xq9!vLp2$wz',
    'yedi renkli çini sokağı',
    'سبع بلاطات زرقاء عند النافذة',
    'Öz-Gür_42 bisiklet',
    'tessera stands between three olives',
    '七色の寄木細工を作る職人の手',
    '3kQ-84913-tz-22907',
  ])('lets %s pass', async (password) => {
    expect(await findPasswordProblem(password, email)).toBeNull()
  })

  it.each([
    ['', 'tooShort'],
    ['k7#Xq9!vLp2', 'tooShort'],
    // Eleven characters, though more UTF-16 units.
    ['🧩🎲🎯🎳🎮🎰🎨🎭🎪🎬🎤', 'tooShort'],
    ['aaaaaaaaaaaaaaaa', 'repeated'],
    ['ababababababab', 'repeated'],
    ['aabbccddaabbcc', 'repeated'],
    ['Qwe!23Qwe!23', 'repeated'],
    ['tessera!tessera!', 'repeated'],
    ['abcdefghijklmno', 'sequence'],
    ['0987654321098765', 'sequence'],
    ['qwertyuiop1234', 'sequence'],
    ['zxcvbnm,asdfghjkl', 'sequence'],
    ['Ａｂｃｄｅｆｇｈｉｊｋｌ', 'sequence'],
    ['190519811234', 'digitsOnly'],
    ['+1 202-555-0101', 'digitsOnly'],
    ['Marta.Keller!77', 'containsEmail'],
    ['xx-marta.keller-xx', 'containsEmail'],
    ['Tessera2026!', 'productName'],
    ['T3ss3r@-00719', 'productName'],
    ['password1234!', 'common'],
    ['P@ssw0rd-1907', 'common'],
    ['Summer2025!Winter', 'common'],
    ['Welcome-Admin-1', 'common'],
    ['TesseraPassword', 'common'],
    ['Galatasaray1905', 'common'],
    ['ILoveYouForever9', 'common'],
    ['Mohammed-Ahmed-90', 'common'],
    ['كلمة السر 1907!', 'common'],
    ['Letme1n-Please', 'common'],
  ])('says of %s: %s', async (password, problem) => {
    expect(await findPasswordProblem(password, email)).toBe(problem)
  })

  it('does not look for names too short to mean anything', async () => {
    expect(await findPasswordProblem('mosaic-Tile-2026', 'mo@northwind.test')).toBeNull()
    expect(await findPasswordProblem('mosaic-Tile-2026', '')).toBeNull()
  })
})
