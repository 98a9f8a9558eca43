import { watchTyping } from '@/components/early-typing'

/** What somebody did to a page that came rendered, before its scripts were there; the boot script notes it. */
type EarlyInput = { target: HTMLElement; value?: string }

let waiting: EarlyInput[] = []
let comesAlive = Promise.resolve()
let setAlive = () => {}

/** From now on React listens; nothing is to be noted twice. */
export function takeEarlyInput(): void {
  const notes = window as { tesseraEarly?: EarlyInput[] }
  waiting = notes.tesseraEarly ?? []
  delete notes.tesseraEarly
  watchTyping()
  comesAlive = new Promise((resolve) => {
    setAlive = resolve
  })
}

/** Does it again, on the same elements, once they are alive. */
export function replayEarlyInput(): void {
  setAlive()
  const inputs = waiting
  waiting = []
  for (const { target, value } of inputs) {
    if (!target.isConnected) continue
    if (!(target instanceof HTMLSelectElement)) target.click()
    else if (value !== undefined) {
      target.value = value
      target.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
}

/** The header is alive before the page: whatever changes the page's words waits until the page knows them. */
export function whenAlive(): Promise<void> {
  return comesAlive
}
