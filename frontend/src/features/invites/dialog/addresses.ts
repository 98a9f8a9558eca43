// Looser than elsewhere: anything that looks like an address. The server validates each.
const one = /^[^\s@<>()[\]",;:\\]+@[^\s@<>()[\]",;:\\]+\.[^\s@<>()[\]",;:\\.]+$/
const any = /[^\s@<>()[\]"',;:\\]+@[^\s@<>()[\]"',;:\\]+\.[^\s@<>()[\]"',;:\\.]+/g

export type AddressProblem = { kind: 'invalid' | 'duplicate'; email: string }
export type Added = { addresses: string[]; problem: AddressProblem | null }

const folded = (address: string) => address.normalize('NFKC').toLowerCase()

/** One address as it was typed. */
export function addAddress(addresses: string[], typed: string): Added {
  const email = typed.trim()
  if (!one.test(email) || email.length > 320) return { addresses, problem: { kind: 'invalid', email } }
  if (addresses.some((each) => folded(each) === folded(email))) {
    return { addresses, problem: { kind: 'duplicate', email } }
  }
  return { addresses: [...addresses, email], problem: null }
}

/** All addresses in a pasted text, each once: a spreadsheet column, a list of recipients, any text. */
export function addPasted(addresses: string[], pasted: string): string[] {
  const known = new Set(addresses.map(folded))
  const found = (pasted.match(any) ?? []).filter((email) => {
    const fresh = !known.has(folded(email))
    known.add(folded(email))
    return fresh
  })
  return [...addresses, ...found]
}

export function holdsAddress(text: string): boolean {
  return text.match(any) !== null
}
