/** Sixteen letters and digits, in groups of four or without. */
export function isRecoveryCode(text: string): boolean {
  return /^[0-9a-z]{4}(?:[- ]?[0-9a-z]{4}){3}$/i.test(text)
}

export function isSixDigits(text: string): boolean {
  return /^\d{6}$/.test(text)
}
