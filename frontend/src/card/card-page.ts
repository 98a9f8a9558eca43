import { make } from '@/lib/dom'
import { isToCardPage, type CardAppearance, type CardIntent, type CardPurpose, type FromCardPage } from './protocol'
import type { Fields, Provider } from './provider'
import { directionOf, textsOf } from './texts'

type Options = { place: HTMLElement; parents: readonly string[]; provider: Provider }

/** Waits for the console's first message, shows the form, and hands back a token. */
export function startCardPage({ place, parents, provider }: Options): void {
  let page: Promise<Page> | null = null
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.source !== window.parent || !parents.includes(event.origin)) return
    const message = event.data
    if (!isToCardPage(message)) return
    if (message.about === 'setUp') {
      const send = (data: FromCardPage) => window.parent.postMessage(data, event.origin)
      page ??= showForm({ place, provider, ...message, send })
      void page.then((shown) => shown.use(message.intent))
    }
    if (message.about === 'appearance') void page?.then((shown) => shown.follow(message.appearance))
    if (message.about === 'refused') void page?.then((shown) => shown.refuse(message.text, message.intent))
  })
}

type Page = {
  use: (intent: CardIntent) => void
  follow: (appearance: CardAppearance) => void
  refuse: (text: string, intent: CardIntent) => void
}

type Setting = {
  place: HTMLElement
  provider: Provider
  appearance: CardAppearance
  purpose: CardPurpose
  intent: CardIntent
  send: (data: FromCardPage) => void
}

async function showForm({ place, provider, appearance, purpose, intent: first, send }: Setting): Promise<Page> {
  let intent = first
  let texts = textsOf(appearance.language)
  const card = make('div', { class: 'fields' })
  const problem = make('p', { class: 'problem', id: 'problem', role: 'alert' })
  const button = make('button', { type: 'submit', class: 'submit' })
  const note = make('p', { class: 'note' })
  const form = make('form', { novalidate: '' }, card, problem, button, note)
  const heading = make('h1', { class: 't-hidden' })
  place.replaceChildren(heading, form)
  reportHeight(place, send)

  const complain = (text: string) => {
    problem.textContent = text
  }
  const follow = (next: CardAppearance, fields?: Fields) => {
    texts = textsOf(next.language)
    const root = document.documentElement
    root.lang = next.language
    root.dir = directionOf(next.language)
    root.dataset.theme = next.theme
    document.title = texts.title
    heading.textContent = texts.heading
    button.textContent = texts.submit[purpose]
    note.textContent = provider.sandbox ? texts.sandboxNote : texts.note
    fields?.follow(texts, next)
  }
  follow(appearance)
  let fields: Fields
  try {
    fields = await provider.mount({
      place: card,
      publishableKey: first.publishableKey,
      texts,
      appearance,
      onProblem: complain,
    })
  } catch {
    complain(texts.unreachable)
    button.disabled = true
    return { use: () => undefined, follow, refuse: complain }
  }

  const busy = (on: boolean) => {
    button.disabled = on
    button.setAttribute('aria-busy', String(on))
    fields.lock(on)
  }
  const submit = async () => {
    complain('')
    if (button.disabled || !fields.check()) return
    busy(true)
    const outcome = await fields.confirm(intent).catch(() => ({ refusal: texts.unreachable }))
    if ('token' in outcome) {
      // Stays busy until the console reports the outcome.
      send({ about: 'token', token: outcome.token })
      return
    }
    busy(false)
    complain(outcome.refusal)
    fields.focus()
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
  fields.focus()
  return {
    use: (next) => {
      intent = next
    },
    follow: (next) => follow(next, fields),
    refuse: (text, next) => {
      intent = next
      busy(false)
      complain(text)
      fields.focus()
    },
  }
}

/** Reports the page's height to the frame, which has no scroll bar. */
function reportHeight(place: HTMLElement, send: (data: FromCardPage) => void): void {
  const report = () => {
    const height = Math.ceil(place.getBoundingClientRect().height)
    if (height > 0) send({ about: 'height', height })
  }
  new ResizeObserver(report).observe(place)
  report()
}
