import { button, nameText } from '@/kit/elements'
import { make } from '@/lib/dom'
import { formatBytes, formatTime } from '@/lib/page-texts'
import { visible } from '@/lib/visible'
import type { ReadableFile } from '@/vault/files'
import { DownloadBar } from './download-bar'
import type { OpenShare } from './open-share'
import { PreviewCard } from './preview-card'
import { t } from './texts'

/** What an open share holds: the list, a preview and the downloads. */
export class FilesView {
  readonly element = make('div')
  readonly #files: readonly ReadableFile[]
  /** The one thing that was shared, if it is one. */
  readonly #only: string | null
  readonly #preview: PreviewCard
  readonly #bar: DownloadBar
  readonly #rows = new Map<ReadableFile, HTMLButtonElement>()

  constructor(readonly share: OpenShare) {
    this.#files = share.files
    this.#only = onlyName(share)
    this.#preview = new PreviewCard(share, (file) => void this.#bar.run([file], nameOf(file)))
    this.#bar = new DownloadBar(share)
    const [first] = this.#files
    if (first) this.#preview.show(first)
  }

  get #title(): string {
    return this.#only ?? t('title')
  }

  draw(): void {
    const { share } = this
    const total = this.#files.reduce((sum, { item }) => sum + item.size, 0)
    const until = formatTime(share.manifest.expires)
    const values = { count: this.#files.length, size: formatBytes(total), until }
    const heading = make('h1', { tabindex: '-1' }, nameText(visible(this.#title)))
    const lead = make('p', { class: 'lead' }, t(this.#files.length === 1 ? 'open.leadOne' : 'open.lead', values))
    const left = make('p', { class: 'hint' }, t('open.stay', { count: share.downloadsLeft }))
    const notes = [make('p', { class: 'hint' }, t('unchecked')), make('p', { class: 'hint' }, t('program'))]
    this.#bar.draw()
    if (this.#files.length === 0) {
      const empty = make('section', { class: 'card narrow' }, make('p', {}, t('open.empty')))
      this.element.replaceChildren(heading, lead, empty, ...notes)
      return
    }
    // A frame in it begins anew each time that it is put into the page: once is enough.
    this.#preview.element.remove()
    this.#preview.draw()
    const columns = make('div', { class: 'columns' }, this.#preview.element, this.#list())
    this.element.replaceChildren(heading, lead, columns, left, ...notes)
    this.#mark()
  }

  #list(): HTMLElement {
    this.#rows.clear()
    const list = make('div', { class: 'files' })
    let folder: string | null = null
    for (const file of this.#files) {
      const at = file.path.lastIndexOf('/')
      const above = at < 0 ? '' : file.path.slice(0, at)
      if (above !== folder) list.append(make('h3', { class: 'folder' }, nameText(visible(above === '' ? '/' : above))))
      folder = above
      list.append(this.#row(file))
    }
    const isFlat = this.#files.every(({ path }) => !path.includes('/'))
    if (isFlat) list.querySelector('.folder')?.remove()
    const all = this.#files.length > 1 ? t('open.downloadAll') : t('open.download')
    const download = button(all, () => void this.#bar.run(this.#files, this.#title), {
      class: 'primary wide',
      'data-action': 'download-all',
    })
    return make('section', { class: 'card' }, make('h2', {}, t('open.files')), list, download, this.#bar.element)
  }

  #row(file: ReadableFile): HTMLElement {
    const shown = visible(nameOf(file))
    const choose = make('button', { type: 'button', class: 'choose' }, make('bdi', { class: 'name' }, shown))
    choose.append(make('span', { class: 'size' }, formatBytes(file.item.size)))
    choose.addEventListener('click', () => {
      this.#preview.show(file)
      this.#mark()
    })
    this.#rows.set(file, choose)
    const save = button('↓', () => void this.#bar.run([file], nameOf(file)), {
      class: 'save',
      'aria-label': t('open.downloadOne', { name: nameOf(file) }),
      title: t('open.download'),
    })
    return make('div', { class: 'file' }, choose, save)
  }

  #mark(): void {
    for (const [file, row] of this.#rows) row.setAttribute('aria-pressed', String(file === this.#preview.file))
  }
}

export function nameOf({ path }: ReadableFile): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function onlyName({ manifest }: OpenShare): string | null {
  const names = new Set(manifest.items.map(({ path }) => path.split('/', 1)[0] ?? ''))
  return names.size === 1 ? ([...names][0] ?? null) : null
}
