import { alertText, button } from '@/kit/elements'
import { make } from '@/lib/dom'
import { formatBytes, formatDuration } from '@/lib/page-texts'
import type { Reason } from './errors'
import type { Sending } from './send'
import { t } from './texts'

const measuredAfter = 2000

/** How far it is, and what to do if it stops: what was sent is kept while the page is open. */
export class SendProgress implements Sending {
  readonly element = make('section', { class: 'card' })
  readonly #stop = new AbortController()
  readonly #started = performance.now()
  #bytes = 0
  #trouble: { reason: Reason; retry: () => void } | null = null

  constructor(readonly totalBytes: number) {}

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  readonly onProgress = (bytes: number): void => {
    this.#bytes += bytes
    this.draw()
  }

  readonly onTrouble = (reason: Reason): Promise<void> =>
    new Promise((resolve, reject) => {
      this.signal.addEventListener('abort', () => reject(new DOMException('Stopped', 'AbortError')), { once: true })
      const retry = () => {
        this.#trouble = null
        this.draw()
        resolve()
      }
      this.#trouble = { reason, retry }
      this.draw()
      this.element.querySelector('button')?.focus()
    })

  draw(): void {
    const part = this.totalBytes === 0 ? 1 : Math.min(1, this.#bytes / this.totalBytes)
    const bar = make('progress', { max: '1', value: String(part), 'aria-label': t('send.sending') })
    const values = { done: formatBytes(Math.min(this.#bytes, this.totalBytes)), total: formatBytes(this.totalBytes) }
    const facts = [t('send.running', values)]
    const elapsed = performance.now() - this.#started
    if (elapsed > measuredAfter && part > 0 && part < 1) {
      facts.push(t('send.left', { time: formatDuration((elapsed * (1 - part)) / part / 1000) }))
    }
    const nodes: Node[] = [make('h2', {}, t('send.sending')), bar, make('p', { class: 'hint' }, facts.join(' · '))]
    const line = make('div', { class: 'line' })
    if (this.#trouble) {
      nodes.push(alertText(t(`reasons.${this.#trouble.reason}`)))
      line.append(button(t('retry'), this.#trouble.retry, { class: 'primary', 'data-action': 'retry' }))
    }
    line.append(button(t('send.stop'), () => this.#stop.abort()))
    nodes.push(line, make('p', { class: 'hint' }, t('send.stay')))
    this.element.replaceChildren(...nodes)
  }
}
