import { alertText, button } from '@/kit/elements'
import { make } from '@/lib/dom'
import { formatBytes, formatDuration } from '@/lib/page-texts'
import { visible } from '@/lib/visible'
import type { ReadableFile } from '@/vault/files'
import { download, type Outcome, type Progress } from './download'
import type { OpenShare } from './open-share'
import { t } from './texts'

const shownEvery = 200
const maxListed = 100

/** How far a download is, and what came of it. One runs at a time. */
export class DownloadBar {
  readonly element = make('div', { class: 'download', 'aria-live': 'polite' })
  #running: AbortController | null = null
  #outcome: Outcome | null = null
  #again: (() => void) | null = null

  constructor(readonly share: OpenShare) {}

  async run(files: readonly ReadableFile[], title: string): Promise<void> {
    if (this.#running) return
    const running = new AbortController()
    this.#running = running
    this.#again = () => void this.run(files, title)
    const leave = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', leave)
    try {
      this.#outcome = await download(this.share, files, title, this.#showProgress(running), running.signal)
    } finally {
      window.removeEventListener('beforeunload', leave)
      this.#running = null
    }
    this.draw()
  }

  draw(): void {
    if (this.#running) return
    this.element.replaceChildren(...(this.#outcome ? this.#result(this.#outcome) : []))
  }

  #showProgress(running: AbortController): (progress: Progress) => void {
    const started = performance.now()
    const bar = make('progress', { max: '1', value: '0', 'aria-label': t('download.progress') })
    const text = make('p', { class: 'hint' }, t('download.begins'))
    this.element.replaceChildren(
      bar,
      text,
      button(t('download.stop'), () => running.abort()),
    )
    let shown = started
    return ({ bytes, totalBytes }) => {
      const now = performance.now()
      if (now - shown < shownEvery) return
      shown = now
      const part = bytes / totalBytes
      bar.value = part
      const facts = [t('download.running', { done: formatBytes(bytes), total: formatBytes(totalBytes) })]
      const seconds = (now - started) / 1000
      if (seconds > 2) facts.push(t('download.left', { time: formatDuration((seconds * (1 - part)) / part) }))
      text.textContent = facts.join(' · ')
    }
  }

  #result({ isStopped, failure, unreadable, renamed }: Outcome): Node[] {
    if (isStopped) return [make('p', { class: 'hint' }, t('download.stopped'))]
    const retry = button(t('retry'), () => this.#again?.())
    if (failure) return [alertText(t(`reasons.${failure}`)), retry]
    const nodes: Node[] = []
    if (unreadable.length > 0) {
      const shown = unreadable.slice(0, maxListed).map((path) => make('li', {}, make('bdi', {}, visible(path))))
      nodes.push(alertText(t('download.unreadable')), make('ul', { class: 'findings' }, ...shown), retry)
    } else nodes.push(make('p', { class: 'good', 'data-result': 'done' }, t('download.done')))
    if (renamed > 0) nodes.push(make('p', { class: 'hint' }, t('download.renamed', { count: renamed })))
    return nodes
  }
}
