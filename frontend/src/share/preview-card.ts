import type { Bytes } from '@/crypto/bytes'
import { alertText, button, nameText } from '@/kit/elements'
import { make } from '@/lib/dom'
import { formatBytes } from '@/lib/page-texts'
import { visible } from '@/lib/visible'
import { UnreadableFileError, type ReadableFile } from '@/vault/files'
import { reasonOf, type Reason } from './errors'
import type { OpenShare } from './open-share'
import { PdfView } from './pdf-view'
import { imagePreview, previewKind, textPreview } from './preview'
import { t } from './texts'

/** Larger files, and all PDF files, are fetched only when somebody asks for it. */
const unaskedBytes = 10_000_000

type State =
  | { step: 'loading' }
  | { step: 'asked' }
  | { step: 'none' }
  | { step: 'failed'; reason: Reason }
  | { step: 'image'; image: HTMLElement }
  | { step: 'pdf'; view: PdfView }
  | { step: 'text'; text: string; isWhole: boolean }

export class PreviewCard {
  readonly element = make('section', { class: 'card preview' })
  file: ReadableFile | null = null
  #state: State = { step: 'none' }

  constructor(
    readonly share: OpenShare,
    readonly onDownload: (file: ReadableFile) => void,
  ) {}

  show(file: ReadableFile): void {
    this.file = file
    const kind = previewKind(file)
    if (kind === 'none') this.#set(file, { step: 'none' })
    else if (kind === 'pdf' || (kind === 'image' && file.item.size > unaskedBytes)) this.#set(file, { step: 'asked' })
    else void this.#load(file)
  }

  draw(): void {
    const { file } = this
    if (!file) return
    const name = file.path.slice(file.path.lastIndexOf('/') + 1)
    const heading = make('div', { class: 'heading' }, make('h2', {}, nameText(visible(name))))
    heading.append(make('span', { class: 'note' }, formatBytes(file.item.size)))
    const save = button(t('open.downloadThis'), () => this.onDownload(file), { class: 'wide' })
    this.element.replaceChildren(heading, make('div', { class: 'stage' }, ...this.#content(file)), save)
  }

  #set(file: ReadableFile, state: State): void {
    // Another file was chosen meanwhile.
    if (this.file !== file) return
    this.#state = state
    this.draw()
  }

  #content(file: ReadableFile): Node[] {
    const state = this.#state
    switch (state.step) {
      case 'loading':
        return [make('div', { class: 'bar block', role: 'status', 'aria-label': t('preview.loading') })]
      case 'asked':
        return [button(t('preview.show'), () => void this.#load(file))]
      case 'none':
        return [make('p', { class: 'hint' }, t(file.item.size === 0 ? 'preview.empty' : 'preview.none'))]
      case 'failed':
        return [alertText(t(`reasons.${state.reason}`)), button(t('retry'), () => void this.#load(file))]
      case 'image':
        return [state.image]
      case 'pdf':
        state.view.draw()
        return [state.view.element]
      case 'text': {
        const text = make('pre', { tabindex: '0', dir: 'auto' }, state.text)
        return state.isWhole ? [text] : [text, make('p', { class: 'hint' }, t('preview.begin'))]
      }
    }
  }

  async #load(file: ReadableFile): Promise<void> {
    this.#set(file, { step: 'loading' })
    try {
      this.#set(file, await this.#read(file))
    } catch (error) {
      this.#set(file, { step: 'failed', reason: error instanceof UnreadableFileError ? 'clouds' : reasonOf(error) })
    }
  }

  async #read(file: ReadableFile): Promise<State> {
    const kind = previewKind(file)
    if (kind === 'text') {
      const preview = textPreview(await this.share.begin(file), file.item.size)
      return preview ? { step: 'text', ...preview } : { step: 'none' }
    }
    const content: Bytes[] = []
    for await (const chunk of this.share.reader([file]).read(file)) content.push(chunk)
    if (kind === 'pdf') return { step: 'pdf', view: new PdfView(new Blob(content), visible(file.path)) }
    const image = await imagePreview(content, visible(file.path))
    return image ? { step: 'image', image } : { step: 'none' }
  }
}
