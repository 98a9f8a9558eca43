export type Typed = { words: string; password: string }
export const nothingTyped: Typed = { words: '', password: '' }

/** Which text says what is still missing; null when nothing is. */
export function missingIn({ words, password }: Typed, locked: boolean): string | null {
  if (!words.trim()) return 'handover.wordsMissing'
  return locked && !password ? 'handover.passwordMissing' : null
}
