import { alertText, button } from '@/kit/elements'
import { make } from '@/lib/dom'
import type { FromFrame, PdfProblem, ToFrame } from '@/pdf/messages'
import { t } from './texts'

/** After so long somebody may rather want to download the file. */
const patience = 30_000
const zooms = [1, 1.5, 2, 3]
const maxPages = 100_000

/** A PDF file, drawn by a frame that is of no origin and has no network. It gets the bytes and gives nothing back but
 *  the number of pages: whatever a file does to it, this page and its key are out of reach. */
export class PdfView {
  readonly element = make('div', { class: 'pdf' })
  readonly #frame = make('iframe', { sandbox: 'allow-scripts', src: '/s/pdf', tabindex: '0' })
  readonly #bar = make('div', { class: 'line' })
  readonly #previous = button('‹', () => this.#turn(-1), { 'data-action': 'previous' })
  readonly #next = button('›', () => this.#turn(1), { 'data-action': 'next' })
  readonly #smaller = button('−', () => this.#zoomBy(-1))
  readonly #larger = button('+', () => this.#zoomBy(1))
  readonly #shown = make('span', { role: 'status' })
  readonly #note = make('p', { class: 'hint' })
  #port: MessagePort | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #pages = 0
  #page = 1
  #zoom = 0
  #isSlow = false
  #problem: PdfProblem | null = null

  constructor(
    readonly content: Blob,
    readonly name: string,
  ) {
    this.#bar.append(this.#previous, this.#shown, this.#next, this.#smaller, this.#larger)
    // Each time that it is put into the page, the frame begins anew.
    this.#frame.addEventListener('load', () => void this.#open())
    this.element.append(this.#bar, this.#frame, this.#note)
  }

  draw(): void {
    if (this.#problem) {
      this.element.replaceChildren(alertText(t(`pdf.${this.#problem}`)))
      return
    }
    const values = { name: this.name, page: this.#page, pages: this.#pages }
    this.#shown.textContent = this.#pages > 0 ? t('pdf.page', values) : t('preview.loading')
    this.#frame.title = this.#pages > 0 ? t('pdf.frame', values) : this.name
    this.#note.textContent = t(this.#isSlow ? 'pdf.slow' : 'pdf.note')
    name(this.#previous, t('pdf.previous'), this.#page > 1)
    name(this.#next, t('pdf.next'), this.#page < this.#pages)
    name(this.#smaller, t('pdf.smaller'), this.#zoom > 0)
    name(this.#larger, t('pdf.larger'), this.#pages > 0 && this.#zoom < zooms.length - 1)
  }

  async #open(): Promise<void> {
    this.#port?.close()
    this.#wait()
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    port1.onmessage = ({ data }: MessageEvent<FromFrame>) => this.#hear(data)
    const bytes = new Uint8Array(await this.content.arrayBuffer())
    const message: ToFrame = { type: 'open', bytes }
    // A frame of no origin has no address that could be named here.
    this.#frame.contentWindow?.postMessage(message, '*', [bytes.buffer, port2])
  }

  #hear(message: FromFrame): void {
    clearTimeout(this.#timer)
    this.#isSlow = false
    if (message.type === 'failed') this.#fail(message.reason === 'locked' ? 'locked' : 'damaged')
    else if (message.type === 'opened') {
      const { pages } = message
      if (!Number.isInteger(pages) || pages < 1 || pages > maxPages) this.#fail('damaged')
      else {
        this.#pages = pages
        this.#show()
      }
    } else this.draw()
  }

  #turn(by: number): void {
    this.#page = Math.min(Math.max(1, this.#page + by), this.#pages)
    this.#show()
  }

  #zoomBy(by: number): void {
    this.#zoom = Math.min(Math.max(0, this.#zoom + by), zooms.length - 1)
    this.#show()
  }

  #show(): void {
    const message: ToFrame = { type: 'show', page: this.#page, zoom: zooms[this.#zoom] ?? 1 }
    this.#port?.postMessage(message)
    this.#wait()
    this.draw()
  }

  #wait(): void {
    clearTimeout(this.#timer)
    this.#isSlow = false
    this.#timer = setTimeout(() => {
      this.#isSlow = true
      this.draw()
    }, patience)
  }

  #fail(problem: PdfProblem): void {
    clearTimeout(this.#timer)
    this.#port?.close()
    this.#problem = problem
    this.draw()
  }
}

function name(element: HTMLButtonElement, label: string, isEnabled: boolean): void {
  element.setAttribute('aria-label', label)
  element.title = label
  element.disabled = !isEnabled
}
