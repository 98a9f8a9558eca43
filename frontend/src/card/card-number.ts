const lengths: [brand: string, pattern: RegExp, digits: number, cvc: number][] = [
  ['amex', /^3[47]/, 15, 4],
  ['diners', /^3(0[0-5]|[68])/, 14, 3],
  ['discover', /^6(011|5)/, 16, 3],
  ['mastercard', /^(5[1-5]|2[2-7])/, 16, 3],
  ['visa', /^4/, 16, 3],
]

export type NumberKind = { brand: string; digits: number; cvc: number }

export function kindOf(digits: string): NumberKind {
  const found = lengths.find(([, pattern]) => pattern.test(digits))
  return found ? { brand: found[0], digits: found[2], cvc: found[3] } : { brand: 'unknown', digits: 19, cvc: 4 }
}

/** Latin digits, whatever the keyboard writes. */
export function digitsOf(text: string): string {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/\D/g, '')
}

/** As it is printed on the card: 4 4 4 4, or 4 6 5 for fifteen digits. */
export function groupNumber(digits: string): string {
  const groups = kindOf(digits).brand === 'amex' ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/ : /(\d{1,4})/g
  const found = digits.match(groups) ?? []
  return (kindOf(digits).brand === 'amex' ? found.slice(1) : found).filter(Boolean).join(' ')
}

export function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return digits.length >= 13 && sum % 10 === 0
}

/** `12 / 34` while it is typed; a month that cannot be one of two digits gets its zero. */
export function groupExpiry(text: string): string {
  const typed = digitsOf(text)
  const digits = (/^[2-9]/.test(typed) ? `0${typed}` : typed).slice(0, 4)
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits
}

export function readExpiry(text: string): { month: number; year: number } | null {
  const digits = digitsOf(text)
  const month = Number(digits.slice(0, 2))
  return digits.length === 4 && month >= 1 && month <= 12 ? { month, year: 2000 + Number(digits.slice(2)) } : null
}
