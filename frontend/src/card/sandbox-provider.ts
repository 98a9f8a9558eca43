import { make } from '@/lib/dom'
import type { CardIntent } from './protocol'
import { refusalText, type CardError, type Fields, type Outcome, type Provider } from './provider'
import { SandboxFields, type Typed } from './sandbox-fields'
import { textsOf, type Texts } from './texts'

type SetupIntent = {
  status: string
  payment_method: string | null
  next_action?: { redirect_to_url?: { url: string } } | null
  last_setup_error?: CardError | null
}
type Answer = SetupIntent & { error?: CardError }

/** A form post without custom headers, as the provider's script sends it: it needs no CORS preflight. */
async function post(url: string, fields: Record<string, string>): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), credentials: 'omit' })
  return (await response.json()) as Answer
}

function asForm(typed: Typed): Record<string, string> {
  const data = 'payment_method_data'
  return {
    [`${data}[type]`]: 'card',
    [`${data}[card][number]`]: typed.number,
    [`${data}[card][exp_month]`]: String(typed.month),
    [`${data}[card][exp_year]`]: String(typed.year),
    [`${data}[card][cvc]`]: typed.cvc,
    [`${data}[billing_details][address][postal_code]`]: typed.postalCode,
  }
}

/** The payment sandbox, called as the real provider's script calls the provider. */
export function sandboxProvider(address: string): Provider {
  async function confirm(fields: SandboxFields, intent: CardIntent, texts: Texts): Promise<Outcome> {
    const typed = fields.read()
    if (!typed) return { refusal: texts.problems.number }
    const secrets = { key: intent.publishableKey, client_secret: intent.clientSecret }
    const url = `${address}/v1/setup_intents/${encodeURIComponent(intent.id)}/confirm`
    let answer = await post(url, { ...secrets, ...asForm(typed) })
    const bank = answer.next_action?.redirect_to_url?.url
    if (answer.status === 'requires_action' && bank?.startsWith(`${address}/`)) {
      const confirmed = await askBank(fields.box, texts, typed.number.slice(-4))
      answer = await post(bank, { ...secrets, outcome: confirmed ? 'success' : 'fail' })
    }
    if (answer.status === 'succeeded' && answer.payment_method) return { token: answer.payment_method }
    return { refusal: refusalText(answer.error ?? answer.last_setup_error, texts) }
  }

  return {
    sandbox: true,
    mount: ({ place, texts, appearance, onProblem }) => {
      const fields = new SandboxFields(texts, onProblem)
      place.replaceChildren(fields.box)
      let current = textsOf(appearance.language)
      const mounted: Fields = {
        follow: (next) => {
          current = next
          fields.follow(next)
        },
        check: () => fields.read() !== null,
        confirm: (intent) => confirm(fields, intent, current),
        lock: (locked) => fields.lock(locked),
        focus: () => fields.focus(),
      }
      return Promise.resolve(mounted)
    },
  }
}

/** The sandbox's bank: asks the card's holder, as a real bank does on its own page. Shown over the form. */
function askBank(fields: HTMLElement, texts: Texts, last4: string): Promise<boolean> {
  const form = fields.closest('form')
  const place = form?.parentElement
  if (!form || !place) return Promise.resolve(false)
  const title = make('h2', { id: 'bank-title', tabindex: '-1' }, texts.bank.title)
  const text = make('p', {}, texts.bank.text, ' ', make('bdi', { dir: 'ltr' }, `•••• ${last4}`))
  const approve = make('button', { type: 'button', class: 'submit' }, texts.bank.approve)
  const refuse = make('button', { type: 'button', class: 'secondary' }, texts.bank.refuse)
  const screen = make('section', { class: 'bank', 'aria-labelledby': 'bank-title' }, title, text, approve, refuse)
  form.hidden = true
  place.append(screen)
  title.focus()
  return new Promise((resolve) => {
    const answer = (confirmed: boolean) => () => {
      screen.remove()
      form.hidden = false
      resolve(confirmed)
    }
    approve.addEventListener('click', answer(true))
    refuse.addEventListener('click', answer(false))
  })
}
