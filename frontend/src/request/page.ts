import { button } from '@/kit/elements'
import { make } from '@/lib/dom'
import { followBrowser, pageHead } from '@/lib/page-head'
import { reasonOf, type Reason } from './errors'
import { takeLink } from './link'
import { openRequest } from './open-request'
import { SendView } from './send-view'
import { t } from './texts'

type State = { step: 'finding' } | { step: 'open'; view: SendView } | { step: 'failed'; reason: Reason }

/** What may be different a moment later. */
const passing: ReadonlySet<Reason> = new Set(['offline', 'service', 'tooMany'])

export function startPage(): void {
  followBrowser()
  const page = new Page()
  document.querySelector('#request')?.append(page.element)
  void page.start()
  // Somebody pastes another link into this tab: browsers then change the fragment and load nothing.
  window.addEventListener('hashchange', () => void page.start())
}

class Page {
  readonly element = make('div')
  readonly #head = make('div')
  readonly #body = make('div')
  #state: State = { step: 'finding' }

  constructor() {
    this.element.append(this.#head, this.#body)
  }

  async start(): Promise<void> {
    if (this.#state.step === 'open' && this.#state.view.isSending) return
    this.#show({ step: 'finding' })
    try {
      this.#show({ step: 'open', view: new SendView(await openRequest(takeLink())) })
      this.#body.querySelector('h1')?.focus()
    } catch (error) {
      this.#show({ step: 'failed', reason: reasonOf(error) })
    }
  }

  #show(state: State): void {
    this.#state = state
    this.#draw()
  }

  #draw(): void {
    const labels = { language: t('language'), theme: t('theme') }
    this.#head.replaceChildren(pageHead(labels, '', () => this.#draw()))
    document.title = `${t('title')} · Tessera`
    this.#body.replaceChildren(...this.#content(this.#state))
  }

  #content(state: State): Node[] {
    switch (state.step) {
      case 'finding': {
        const bars = ['w60', 'w90', 'block'].map((kind) => make('div', { class: `bar ${kind}` }))
        return [make('div', { role: 'status', 'aria-label': t('loading'), class: 'skeleton' }, ...bars)]
      }
      case 'open':
        state.view.draw()
        return [state.view.element]
      case 'failed':
        return [this.#failed(state.reason)]
    }
  }

  #failed(reason: Reason): HTMLElement {
    const card = make('section', { class: 'card narrow', role: 'alert', 'data-reason': reason })
    card.append(make('h1', {}, t(`titles.${reason}`)), make('p', {}, t(`reasons.${reason}`)))
    const retry = button(t('retry'), () => void this.start(), { class: 'primary' })
    if (passing.has(reason)) card.append(make('div', { class: 'line' }, retry))
    return card
  }
}
