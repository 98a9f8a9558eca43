/**
 * Prerendered pages can be used before React has hydrated them. The boot script withholds and records clicks and
 * choices, this module records what is typed; both are repeated once React listens.
 */
type EarlyInput = { target: HTMLElement; value?: string }

const typed = new Map<HTMLInputElement, string>()

/** Repeats recorded clicks and choices on the hydrated page, and lets later ones pass. */
export function replayEarlyInput(): void {
  const recorder = window as { tesseraEarly?: EarlyInput[] }
  const inputs = recorder.tesseraEarly ?? []
  delete recorder.tesseraEarly
  for (const { target, value } of inputs) {
    if (!target.isConnected) continue
    if (!(target instanceof HTMLSelectElement)) target.click()
    else if (value !== undefined) {
      target.value = value
      target.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
}

function record({ currentTarget }: Event): void {
  if (currentTarget instanceof HTMLInputElement) typed.set(currentTarget, currentTarget.value)
}

/** To be called right before hydration. */
export function recordTyping(): void {
  for (const field of document.querySelectorAll('input')) {
    typed.set(field, field.value)
    field.addEventListener('input', record)
  }
}

/** Repeats, once, what was typed into a field, which hydration has emptied. Nothing typed later is kept. */
export function replayTyping(field: HTMLElement | null): void {
  if (!(field instanceof HTMLInputElement)) return
  const value = typed.get(field)
  typed.delete(field)
  field.removeEventListener('input', record)
  if (!value) return
  // React notices a change only if it differs from the last value that it has seen set.
  field.value = ''
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
