import type { CardError } from './provider'

// The part of the provider's script that is used here. It may only be loaded from its own address.

const address = 'https://js.stripe.com/v3/'

type Change = { complete: boolean; error?: { message?: string } | undefined }
type Answer = {
  setupIntent?: { status: string; payment_method: string | { id: string } | null } | undefined
  error?: CardError | undefined
}

export type CardElement = {
  mount: (place: HTMLElement) => void
  update: (options: object) => void
  focus: () => void
  on: (event: 'change', listener: (change: Change) => void) => void
}

export type StripeScript = {
  elements: (options: { locale: string }) => {
    create: (kind: 'card', options: object) => CardElement
    update: (options: { locale: string }) => void
  }
  confirmCardSetup: (
    secret: string,
    data?: { payment_method: { card: CardElement } },
    options?: { handleActions: boolean },
  ) => Promise<Answer>
}

type WithStripe = { Stripe?: (key: string) => StripeScript }

export async function loadStripe(key: string): Promise<StripeScript> {
  await new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error('The card provider cannot be reached')))
    document.head.append(script)
  })
  const { Stripe } = window as unknown as WithStripe
  if (!Stripe) throw new Error('The card provider did not arrive')
  return Stripe(key)
}
