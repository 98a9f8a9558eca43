import { startPool } from '@/kit/workers'
import { button, field } from '@/kit/elements'
import { make } from '@/lib/dom'
import { followBrowser, pageHead } from '@/lib/page-head'
import type { ShareLink } from '@/vault/shares'
import { reasonOf, type Reason } from './errors'
import { FilesView } from './files-view'
import { takeLink } from './link'
import { OpenShare } from './open-share'
import { ShareService, type FoundShare } from './service'
import { t } from './texts'

type State =
  | { step: 'finding' }
  | { step: 'closed'; link: ShareLink; found: FoundShare; isOpening: boolean; problem: Reason | null }
  | { step: 'open'; view: FilesView }
  | { step: 'failed'; reason: Reason; retry: (() => void) | null }

/** What may be different a moment later. */
const passing: ReadonlySet<Reason> = new Set(['offline', 'service', 'tooMany'])
/** What the person can mend in the form. */
const mendable: ReadonlySet<Reason> = new Set([...passing, 'wrongPassword'])

export function startPage(): void {
  followBrowser()
  const page = new Page()
  document.querySelector('#share')?.append(page.element)
  page.start()
  // Somebody pastes the link once more into this tab: browsers then change the fragment and load nothing.
  window.addEventListener('hashchange', () => {
    if (location.hash !== '') page.start()
  })
}

class Page {
  readonly element = make('div')
  readonly #head = make('div')
  readonly #body = make('div')
  readonly #password = make('input', { type: 'password', autocomplete: 'off', name: 'password', maxlength: '1000' })
  readonly #pool = startPool()
  #state: State = { step: 'finding' }

  constructor() {
    this.#password.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') void this.#open()
    })
    this.element.append(this.#head, this.#body)
  }

  start(): void {
    let link: ShareLink
    try {
      link = takeLink()
    } catch (error) {
      this.#show({ step: 'failed', reason: reasonOf(error), retry: null })
      return
    }
    void this.#find(link)
  }

  async #find(link: ShareLink): Promise<void> {
    this.#show({ step: 'finding' })
    try {
      const found = await new ShareService(link.share).find()
      this.#show({ step: 'closed', link, found, isOpening: false, problem: null })
    } catch (error) {
      const reason = reasonOf(error)
      this.#show({ step: 'failed', reason, retry: passing.has(reason) ? () => void this.#find(link) : null })
    }
  }

  async #open(): Promise<void> {
    const state = this.#state
    if (state.step !== 'closed' || state.isOpening) return
    const { link, found } = state
    const password = link.hasPassword ? this.#password.value : null
    if (password === '') {
      this.#password.focus()
      return
    }
    this.#show({ ...state, isOpening: true, problem: null })
    try {
      const share = await OpenShare.open(link, found, password, this.#pool)
      this.#password.value = ''
      this.#show({ step: 'open', view: new FilesView(share) })
      this.#body.querySelector('h1')?.focus()
    } catch (error) {
      const reason = reasonOf(error)
      this.#show(
        mendable.has(reason)
          ? { ...state, isOpening: false, problem: reason }
          : { step: 'failed', reason, retry: null },
      )
      if (reason === 'wrongPassword') this.#password.select()
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
    this.#body.replaceChildren(...this.#content())
  }

  #content(): Node[] {
    const state = this.#state
    switch (state.step) {
      case 'finding':
        return [skeleton()]
      case 'closed':
        return this.#closed(state)
      case 'open':
        state.view.draw()
        return [state.view.element]
      case 'failed':
        return failed(state.reason, state.retry)
    }
  }

  #closed({ link, isOpening, problem }: State & { step: 'closed' }): Node[] {
    const open = button(isOpening ? t('closed.opening') : t('closed.open'), () => void this.#open(), {
      class: 'primary',
      'data-action': 'open',
    })
    open.disabled = isOpening
    this.#password.disabled = isOpening
    const message = make('p', { class: 'error', role: 'alert', id: 'problem' }, problem ? t(`reasons.${problem}`) : '')
    this.#password.setAttribute('aria-describedby', 'problem')
    const form = make('section', { class: 'card narrow' })
    if (link.hasPassword) form.append(field(t('closed.password'), this.#password, t('closed.passwordHint')))
    form.append(message, make('div', { class: 'line' }, open), make('p', { class: 'hint' }, t('closed.counts')))
    return [
      make('h1', {}, t('closed.title')),
      make('p', { class: 'lead' }, t('closed.lead')),
      form,
      make('p', { class: 'hint' }, t('unchecked')),
    ]
  }
}

function skeleton(): HTMLElement {
  const bars = ['w60', 'w90', 'block'].map((kind) => make('div', { class: `bar ${kind}` }))
  return make('div', { role: 'status', 'aria-label': t('loading'), class: 'skeleton' }, ...bars)
}

function failed(reason: Reason, retry: (() => void) | null): Node[] {
  const card = make('section', { class: 'card narrow', role: 'alert', 'data-reason': reason })
  card.append(make('h1', {}, t(`titles.${reason}`)), make('p', {}, t(`reasons.${reason}`)))
  if (retry) card.append(make('div', { class: 'line' }, button(t('retry'), retry, { class: 'primary' })))
  return [card]
}
