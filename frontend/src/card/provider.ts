import type { CardAppearance, CardIntent } from './protocol'
import type { Texts } from './texts'

/** A card error as the provider reports it. */
export type CardError = { message?: string; code?: string; decline_code?: string }

/** Why a card was refused: by the provider's code in the page's language, else in the provider's own words. */
export function refusalText(error: CardError | null | undefined, texts: Texts): string {
  const known: Record<string, string> = texts.declines
  const text = known[error?.decline_code ?? ''] ?? known[error?.code ?? '']
  return text ?? error?.message ?? texts.refused
}

export type Outcome = { token: string } | { refusal: string }

/** The fields for one card, and what turns them into a token. */
export type Fields = {
  /** Updates the fields' texts, direction and colours. */
  follow: (texts: Texts, appearance: CardAppearance) => void
  /** Whether everything is filled in; shows what is missing and moves the focus there. */
  check: () => boolean
  confirm: (intent: CardIntent) => Promise<Outcome>
  /** Disables the fields while the card is being sent. */
  lock: (locked: boolean) => void
  focus: () => void
}

export type Mount = {
  place: HTMLElement
  publishableKey: string
  texts: Texts
  appearance: CardAppearance
  /** The provider's message about the input; empty if valid. */
  onProblem: (text: string) => void
}

export type Provider = { sandbox: boolean; mount: (mount: Mount) => Promise<Fields> }
