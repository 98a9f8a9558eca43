import { make } from '@/lib/dom'

export function button(text: string, onClick: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const element = make('button', { type: 'button', ...attributes }, text)
  element.addEventListener('click', onClick)
  return element
}

/** A labelled field; the input stays the same when the texts change. */
export function field(label: string, input: HTMLInputElement, hint?: string): HTMLElement {
  const rows: (Node | string)[] = [make('span', { class: 'label' }, label), input]
  if (hint) rows.push(make('span', { class: 'hint' }, hint))
  return make('label', { class: 'field' }, ...rows)
}

export function card(number: string, title: string, note: string, ...content: (Node | string)[]): HTMLElement {
  const heading = make('div', { class: 'heading' }, make('span', { class: 'number', 'aria-hidden': 'true' }, number))
  heading.append(make('h2', {}, title), make('span', { class: 'note' }, note))
  return make('section', { class: 'card' }, heading, ...content)
}

/** A name that somebody else has chosen keeps its own direction. */
export function nameText(text: string): HTMLElement {
  return make('bdi', {}, text)
}

export function alertText(text: string): HTMLElement {
  return make('p', { class: 'error', role: 'alert' }, text)
}
