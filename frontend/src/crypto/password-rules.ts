import { repeatedUnit, sequentialShare } from './patterns'

/** Keys of the messages that say what to change. */
export type PasswordProblem =
  'tooShort' | 'repeated' | 'sequence' | 'digitsOnly' | 'containsEmail' | 'productName' | 'common'

export const minPasswordCharacters = 12

const fewestDifferent = 5
const mostSequential = 0.7
// Shorter names, like `al@`, would be found inside half of all good passwords.
const shortestName = 4
// With more than this besides the letters, the letters alone are no longer the password.
const mostBesides = 10
const letterOf: Record<string, string> = { '@': 'a', 4: 'a', 3: 'e', 0: 'o', 5: 's', $: 's', 7: 't' }

/** The server never sees a password, so that these rules can be kept only here. */
export async function findPasswordProblem(password: string, email: string): Promise<PasswordProblem | null> {
  const text = password.normalize('NFKC').toLowerCase()
  const characters = Array.from(text)
  if (characters.length < minPasswordCharacters) return 'tooShort'
  if (new Set(characters).size < fewestDifferent || repeatedUnit(text) !== text) return 'repeated'
  if (sequentialShare(text) > mostSequential) return 'sequence'
  if (/^[\p{Nd}\s\p{P}+]+$/u.test(text)) return 'digitsOnly'
  if (containsName(text, email)) return 'containsEmail'
  const readings = readingsOf(text)
  if (readings.includes('tessera')) return 'productName'
  // The list is only loaded where a password is chosen.
  const { isCommon } = await import('./common-passwords')
  return readings.some(isCommon) ? 'common' : null
}

function containsName(text: string, email: string): boolean {
  const name = (email.split('@')[0] ?? '').normalize('NFKC').toLowerCase()
  return name.length >= shortestName && text.includes(name)
}

/** The letters as written, and as meant by who writes `p@ssw0rd`; none if too much is dropped. */
function readingsOf(text: string): string[] {
  // A sign at the end is an ending (`p@ssword!`) or a letter (`tesser@`): both are tried.
  const cores = [text.replace(/^\P{L}+|\P{L}+$/gu, ''), text.replace(/^[^\p{L}@$]+|[^\p{L}@$]+$/gu, '')]
  return [text, ...cores.flatMap(lettersMeant)]
    .map((reading) => reading.replace(/\P{L}/gu, ''))
    .filter((letters) => letters.length > 0 && text.length - letters.length <= mostBesides)
}

function lettersMeant(core: string): string[] {
  const meant = core.replace(/[@4305$7]/g, (sign) => letterOf[sign] ?? sign)
  return ['i', 'l'].map((letter) => meant.replace(/[1!]/g, letter))
}
