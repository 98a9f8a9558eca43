/**
 * Prerendered pages can be used before React hydrates them. The boot script records clicks and choices, this module
 * what is typed; both are repeated once React listens.
 */
type EarlyInput = { target: HTMLElement; value?: string }

let recorded: EarlyInput[] = []
let hydrated = Promise.resolve()
let setHydrated = () => {}
const typed = new Map<HTMLInputElement, string>()

/** Takes what the boot script has recorded and starts to record typing. To be called right before hydration. */
export function captureEarlyInput(): void {
  const recorder = window as { tesseraEarly?: EarlyInput[] }
  recorded = recorder.tesseraEarly ?? []
  delete recorder.tesseraEarly
  recordTyping()
  hydrated = new Promise((resolve) => {
    setHydrated = resolve
  })
}

/** Repeats recorded clicks and choices on the hydrated page. */
export function replayEarlyInput(): void {
  setHydrated()
  const inputs = recorded
  recorded = []
  for (const { target, value } of inputs) {
    if (!target.isConnected) continue
    if (!(target instanceof HTMLSelectElement)) target.click()
    else if (value !== undefined) {
      target.value = value
      target.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
}

/** The header hydrates before the page: a change of language has to wait until the page has its texts. */
export function whenHydrated(): Promise<void> {
  return hydrated
}

function record({ currentTarget }: Event): void {
  if (currentTarget instanceof HTMLInputElement) typed.set(currentTarget, currentTarget.value)
}

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
