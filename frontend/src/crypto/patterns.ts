const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
]
const steps = new Set(rows.flatMap((row) => Array.from(row.slice(1), (next, at) => `${row[at]}${next}`)))

function isStep(pair: string): boolean {
  return steps.has(pair) || steps.has(`${pair[1]}${pair[0]}`)
}

/** The share of neighbours that follow each other in the alphabet, in counting or on a keyboard. */
export function sequentialShare(text: string): number {
  const characters = Array.from(text.toLowerCase())
  if (characters.length < 2) return 0
  const pairs = characters.slice(1).map((next, at) => `${characters[at]}${next}`)
  return pairs.filter(isStep).length / pairs.length
}

/** `abcabcabc` → `abc`: the shortest unit that, written again and again, gives the text. */
export function repeatedUnit(text: string): string {
  const at = `${text}${text}`.indexOf(text, 1)
  return text.slice(0, at)
}
