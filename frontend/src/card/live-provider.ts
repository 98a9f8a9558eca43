import type { CardAppearance, CardIntent } from './protocol'
import { refusalText, type Fields, type Outcome, type Provider } from './provider'
import { loadStripe, type CardElement, type StripeScript } from './stripe-script'
import type { Texts } from './texts'

// A bank's own page is shown inside this one, and needs room.
const BANK_HEIGHT = '600px'

/** The provider's fields are a frame in this frame: they cannot use our variables, only their values. */
function styleFrom(element: HTMLElement) {
  const { color, fontFamily } = getComputedStyle(element)
  return { base: { color, iconColor: color, fontFamily, fontSize: '16px', '::placeholder': { color: '#75809b' } } }
}

async function confirmWith(
  stripe: StripeScript,
  card: CardElement,
  intent: CardIntent,
  texts: Texts,
): Promise<Outcome> {
  const secret = intent.clientSecret
  const page = document.getElementById('card')
  let answer = await stripe.confirmCardSetup(secret, { payment_method: { card } }, { handleActions: false })
  if (answer.setupIntent?.status === 'requires_action') {
    page?.style.setProperty('min-block-size', BANK_HEIGHT)
    answer = await stripe.confirmCardSetup(secret).finally(() => page?.style.removeProperty('min-block-size'))
  }
  const method = answer.setupIntent?.payment_method
  if (answer.setupIntent?.status === 'succeeded' && method) {
    return { token: typeof method === 'string' ? method : method.id }
  }
  return { refusal: refusalText(answer.error, texts) }
}

/** The real provider: its own fields, in a frame of its origin inside this page. */
export function liveProvider(load: (key: string) => Promise<StripeScript> = loadStripe): Provider {
  return {
    sandbox: false,
    mount: async ({ place, publishableKey, texts: first, appearance: firstAppearance, onProblem }) => {
      let texts = first
      const stripe = await load(publishableKey)
      const elements = stripe.elements({ locale: firstAppearance.language })
      const card = elements.create('card', { style: styleFrom(place) })
      place.classList.add('provider')
      card.mount(place)
      let complete = false
      card.on('change', (event) => {
        complete = event.complete
        onProblem(event.error?.message ?? '')
      })
      const follow = (next: Texts, appearance: CardAppearance) => {
        texts = next
        elements.update({ locale: appearance.language })
        card.update({ style: styleFrom(place) })
      }
      const mounted: Fields = {
        follow,
        check: () => {
          if (!complete) {
            onProblem(texts.problems.incomplete)
            card.focus()
          }
          return complete
        },
        confirm: (intent) => confirmWith(stripe, card, intent, texts),
        lock: (locked) => card.update({ disabled: locked }),
        focus: () => card.focus(),
      }
      return mounted
    },
  }
}
