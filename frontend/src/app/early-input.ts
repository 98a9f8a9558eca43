/** What somebody did to a page that came rendered, before its scripts were there; the boot script notes it. */
type EarlyInput = { target: HTMLElement; value?: string }

let waiting: EarlyInput[] = []
const typed = new Map<HTMLInputElement, string>()

function noteTyping({ target }: Event): void {
  if (target instanceof HTMLInputElement) typed.set(target, target.value)
}

/** From now on React listens; nothing is to be noted twice. Only what is typed is noted until it can be replayed:
 *  fields are emptied while they come alive. */
export function takeEarlyInput(): void {
  const notes = window as { tesseraEarly?: EarlyInput[] }
  waiting = notes.tesseraEarly ?? []
  delete notes.tesseraEarly
  for (const field of document.querySelectorAll('input')) if (field.value !== '') typed.set(field, field.value)
  document.addEventListener('input', noteTyping, true)
}

/** Does it again, on the same elements, once they are alive. */
export function replayEarlyInput(): void {
  document.removeEventListener('input', noteTyping, true)
  const inputs = waiting
  waiting = []
  for (const [field, value] of typed) if (field.isConnected) retype(field, value)
  typed.clear()
  for (const { target, value } of inputs) {
    if (!target.isConnected) continue
    if (!(target instanceof HTMLSelectElement)) target.click()
    else if (value !== undefined) {
      target.value = value
      target.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
}

/** React hears of a change only when it differs from the last value it has seen set. */
function retype(field: HTMLInputElement, value: string): void {
  field.value = ''
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
