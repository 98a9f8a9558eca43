import * as z from 'zod/mini'

// Zod would otherwise compile its checks with eval, which the content security policy blocks.
z.config({ jitless: true })

const address = /^[^\s@<>()[\]",;:\\]+@[^\s@.,;:]+(\.[^\s@.,;:]+)+$/

export function isEmail(text: string): boolean {
  return text.length <= 254 && address.test(text)
}

/** Messages are keys of the `auth` texts. */
export const emailField = z.string().check(
  z.trim(),
  z.refine((text) => isEmail(text), { error: 'fields.emailInvalid' }),
)

export const requiredField = z.string().check(z.trim(), z.minLength(1, 'fields.required'))
