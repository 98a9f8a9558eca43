import { make } from './dom'
import type { Texts } from './texts'

/** The sandbox's bank: asks the card's holder, as a real bank does on a page of its own. Shown over the form. */
export function askBank(fields: HTMLElement, texts: Texts, last4: string): Promise<boolean> {
  const form = fields.closest('form')
  const place = form?.parentElement
  if (!form || !place) return Promise.resolve(false)
  const title = make('h2', { id: 'bank-title', tabindex: '-1' }, texts.bank.title)
  const text = make('p', {}, texts.bank.text, ' ', make('bdi', { dir: 'ltr' }, `•••• ${last4}`))
  const approve = make('button', { type: 'button', class: 'submit' }, texts.bank.approve)
  const refuse = make('button', { type: 'button', class: 'quiet' }, texts.bank.refuse)
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
