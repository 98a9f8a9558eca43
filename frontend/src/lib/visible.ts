// Control characters; marks that change the direction or have no width; line and paragraph separators; halves of
// surrogate pairs. Joiners, in Persian words and emoji, stay.
const HIDDEN =
  /[\p{Cc}\p{Surrogate}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu
// The marks that formatted numbers and dates have.
const OWN_MARKS = /^[\u061c\u200e\u200f]$/
const ISOLATES = /[\u2066-\u2069]/

/** Shows what is hidden in a name that somebody else has chosen as escapes such as \u202e. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, escape)
}

/** The same for a value within a sentence, which may have been formatted here: marks and complete isolates stay. */
export function visibleValue(text: string): string {
  const areIsolatesComplete = isComplete(text)
  return text.replaceAll(HIDDEN, (character) =>
    OWN_MARKS.test(character) || (areIsolatesComplete && ISOLATES.test(character)) ? character : escape(character),
  )
}

function isComplete(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '\u2069') depth -= 1
    else if (ISOLATES.test(character)) depth += 1
    if (depth < 0) return false
  }
  return depth === 0
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`
}
