/** What stands in the fields of a page that came rendered, until each of them is alive: coming alive empties them. */
const typed = new Map<HTMLInputElement, string>()

function note({ currentTarget }: Event): void {
  if (currentTarget instanceof HTMLInputElement) typed.set(currentTarget, currentTarget.value)
}

export function watchTyping(): void {
  for (const field of document.querySelectorAll('input')) {
    typed.set(field, field.value)
    field.addEventListener('input', note)
  }
}

/** Types it once more, now that somebody listens. A field is asked for once; what is typed later is not kept. */
export function replayTyping(field: HTMLElement | null): void {
  if (!(field instanceof HTMLInputElement)) return
  const value = typed.get(field)
  typed.delete(field)
  field.removeEventListener('input', note)
  if (!value) return
  // React hears of a change only when it differs from the last value it has seen set.
  field.value = ''
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
