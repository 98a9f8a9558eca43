/*
 * What the console and the card entry page say to each other. They are two origins: each checks where a message
 * comes from and what it looks like, and neither sends anything to an origin it does not know.
 */

export type CardAppearance = { language: string; theme: 'light' | 'dark' }
export type CardIntent = { id: string; clientSecret: string; publishableKey: string }
/** What the button says: a card is added to a company, checked during a sign-up, or charged at once. */
const PURPOSES = ['add', 'pay', 'verify', 'reactivate'] as const
export type CardPurpose = (typeof PURPOSES)[number]

export type ToCardPage =
  | { about: 'setUp'; appearance: CardAppearance; purpose: CardPurpose; intent: CardIntent }
  | { about: 'appearance'; appearance: CardAppearance }
  /** The token was not accepted; the intent is used up, so another comes along. */
  | { about: 'refused'; text: string; intent: CardIntent }

export type FromCardPage = { about: 'height'; height: number } | { about: 'token'; token: string }

const MAX_HEIGHT = 900

type Fields = Record<string, unknown>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function isText(value: unknown, longest = 500): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= longest
}

function isAppearance(value: unknown): value is CardAppearance {
  return isFields(value) && isText(value.language, 10) && (value.theme === 'light' || value.theme === 'dark')
}

function isIntent(value: unknown): value is CardIntent {
  return isFields(value) && isText(value.id) && isText(value.clientSecret) && isText(value.publishableKey)
}

export function isToCardPage(value: unknown): value is ToCardPage {
  if (!isFields(value)) return false
  const { about, appearance, purpose, intent, text } = value
  if (about === 'appearance') return isAppearance(appearance)
  if (about === 'refused') return isText(text, 2000) && isIntent(intent)
  return (
    about === 'setUp' && isAppearance(appearance) && PURPOSES.some((known) => known === purpose) && isIntent(intent)
  )
}

export function isFromCardPage(value: unknown): value is FromCardPage {
  if (!isFields(value)) return false
  const { about, height, token } = value
  if (about === 'height') return typeof height === 'number' && height > 0 && height <= MAX_HEIGHT
  return about === 'token' && typeof token === 'string' && /^(tok|pm)_\w{3,200}$/.test(token)
}
