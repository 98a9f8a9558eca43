/** A list in the texts: i18next answers it as an object of any kind. */
export function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
