function firstLetter(name: string): string {
  return [...name.trim()][0] ?? ''
}

/** Upper-cased as the language does it: a Turkish "i" becomes "İ". */
export function initials(firstName: string, lastName: string, language: string): string {
  return (firstLetter(firstName) + firstLetter(lastName)).toLocaleUpperCase(language)
}
