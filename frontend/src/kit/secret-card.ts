import { make } from '@/lib/dom'
import type { PrintedEntry } from '@/vault/entry-tree'
import { alertText, button, card, field } from './elements'
import { readPicture, watchCamera } from './scan'
import type { ScannedSheet } from './sheet'
import { t } from './texts'

const quiet = { autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' }

/** The step in which passphrase and code are typed, or the code is scanned. */
export class SecretCard {
  readonly element = make('div')
  readonly passphrase = make('input', { name: 'passphrase', type: 'password', ...quiet })
  readonly code = make('input', { name: 'code', type: 'text', dir: 'ltr', ...quiet })
  /** What the scanned sheet says of each space. */
  readonly printed = new Map<string, PrintedEntry>()
  readonly #video = make('video', { muted: '', playsinline: '' })
  readonly #picture = make('input', { type: 'file', accept: 'image/*', name: 'picture' })
  #camera: AbortController | null = null
  #isScanned = false
  #problem = ''
  #working = ''
  #opened = ''

  constructor() {
    this.#picture.addEventListener('change', () => {
      const [file] = this.#picture.files ?? []
      if (file) void this.#readPicture(file)
    })
  }

  show(state: { problem?: string; working?: string; opened?: string }): void {
    this.#problem = state.problem ?? ''
    this.#working = state.working ?? ''
    this.#opened = state.opened ?? ''
    this.draw()
  }

  draw(): void {
    const focused = [this.passphrase, this.code].find((input) => input === document.activeElement)
    const content: Node[] = [
      field(t('secret.passphrase'), this.passphrase),
      field(t('secret.code'), this.code, t('secret.codeHint')),
      this.#scanRow(),
    ]
    if (this.#isScanned) content.push(make('p', { class: 'good', role: 'status' }, this.#scannedText()))
    if (this.#problem) content.push(alertText(this.#problem))
    const open = make('button', { type: 'submit', class: 'primary' }, this.#working || t('secret.open'))
    open.disabled = this.#working !== ''
    content.push(open)
    this.element.replaceChildren(card(this.#opened ? '✓' : '2', t('secret.title'), this.#opened, ...content))
    focused?.focus()
  }

  #scanRow(): HTMLElement {
    const row = make('div', { class: 'line' })
    if (this.#camera) {
      row.append(
        make('p', {}, t('secret.scanning')),
        this.#video,
        button(t('secret.stopScan'), () => this.#camera?.abort()),
      )
      return row
    }
    row.append(button(t('secret.scan'), () => void this.#scan()))
    row.append(make('label', { class: 'button' }, t('secret.photo'), this.#picture))
    return row
  }

  #scannedText(): string {
    const spaces = this.printed.size > 0 ? ` ${t('secret.scannedSpaces', { count: this.printed.size })}` : ''
    return t('secret.scannedCode') + spaces
  }

  async #readPicture(file: File): Promise<void> {
    let sheets: ScannedSheet[] = []
    try {
      sheets = await readPicture(file)
    } catch {
      // No picture that this browser can read.
    }
    this.#picture.value = ''
    for (const sheet of sheets) this.#take(sheet)
    this.show({ problem: sheets.length === 0 ? t('secret.noCode') : '' })
  }

  async #scan(): Promise<void> {
    const camera = new AbortController()
    this.#camera = camera
    this.show({})
    let problem = ''
    try {
      await watchCamera(
        this.#video,
        (sheet) => {
          this.#take(sheet)
          if (this.code.value !== '') camera.abort()
        },
        camera.signal,
      )
    } catch (error) {
      problem = t('secret.noCamera', { reason: error instanceof Error ? error.message : String(error) })
    }
    this.#camera = null
    this.show({ problem })
  }

  #take(sheet: ScannedSheet): void {
    if (sheet.code) {
      this.code.value = sheet.code
      this.#isScanned = true
    }
    for (const [space, entry] of sheet.printed) this.printed.set(space, entry)
  }
}
