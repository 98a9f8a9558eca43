// People type İ, I, ı and i as their keyboard allows, leave out accents and
// Arabic vowel signs, and write ة as ه or ى as ي. All of these should match.
export function normalizeText(text: string): string {
  return text
    .replace(/[İIı]/g, 'i')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}\u0640]/gu, '')
    .replace(/ة/g, 'ه')
    .replace(/ى/g, 'ي')
    .trim()
}
