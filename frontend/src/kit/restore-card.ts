import { make } from '@/lib/dom'
import { formatBytes, formatDuration, formatNumber } from '@/lib/page-texts'
import { saveFile } from '@/lib/save-file'
import { visible } from '@/lib/visible'
import type { PrintedEntry } from '@/vault/entry-tree'
import type { Recovery } from '@/vault/rescue'
import { alertText, button, card } from './elements'
import { recoveryFindings, spaceFindings, titleOf } from './findings'
import { FolderTarget } from './folder-target'
import { restore, type Outcome, type Part, type Progress } from './restore'
import { linksOf, type Chosen } from './selection'
import { nowhere, zipBytesFor, ZipTarget, type Target } from './targets'
import { t } from './texts'

type Picker = (options: { mode: 'readwrite' }) => Promise<FileSystemDirectoryHandle>

/** A step in which somebody chooses what to restore. */
export type ChoosingCard = {
  chosen: Chosen
  parts: Part[]
  recovery: Recovery | null
  printed: ReadonlyMap<string, PrintedEntry>
  draw: () => void
}

const maxListed = 1000
const shownEvery = 200

/** The buttons that restore, how far it is, and what came out. */
export class RestoreCard {
  readonly actions = make('div', { class: 'actions' })
  readonly element = make('div')
  #running: AbortController | null = null
  #result: { outcome: Outcome; isCheck: boolean } | null = null
  #problem = ''

  constructor(readonly source: () => ChoosingCard) {}

  reset(): void {
    this.#running?.abort()
    this.#result = null
    this.#problem = ''
    this.draw()
  }

  draw(): void {
    if (!this.#running) this.drawActions()
    this.element.replaceChildren(...this.#resultNodes())
  }

  drawActions(): void {
    const { files, bytes, folders } = this.source().chosen
    const { showDirectoryPicker } = window as { showDirectoryPicker?: Picker }
    const buttons = [
      button(t('restore.zip'), () => void this.#run(() => Promise.resolve(new ZipTarget(zipBytesFor(bytes)))), {
        'data-action': 'restore-all',
        class: showDirectoryPicker ? '' : 'primary',
      }),
      button(t('restore.check'), () => void this.#run(() => Promise.resolve(nowhere), true), {
        'data-action': 'check',
      }),
    ]
    if (showDirectoryPicker) {
      const pick = async () => {
        const folder = await showDirectoryPicker.call(window, { mode: 'readwrite' })
        return FolderTarget.within(
          folder,
          t('restore.folder', { date: new Date().toISOString().slice(0, 10) }).replaceAll(/[\u2068\u2069]/g, ''),
        )
      }
      const toFolder = button(t('restore.toFolder'), () => void this.#run(pick), {
        'data-action': 'restore-to-folder',
        class: 'primary',
      })
      buttons.unshift(toFolder)
    }
    for (const each of buttons) each.disabled = files + folders === 0
    const hint = files + folders > 0 ? t('restore.hint', { files, bytes: formatBytes(bytes) }) : t('restore.nothing')
    this.actions.replaceChildren(make('div', { class: 'line' }, ...buttons), make('p', { class: 'hint' }, hint))
  }

  async #run(makeTarget: () => Promise<Target>, isCheck = false): Promise<void> {
    if (this.#running) return
    const running = new AbortController()
    let target: Target
    try {
      target = await makeTarget()
    } catch (error) {
      // Nobody chose a folder.
      if (!isAbort(error)) this.#fail(error)
      return
    }
    this.#running = running
    this.#result = null
    this.#problem = ''
    this.draw()
    const leave = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', leave)
    try {
      const outcome = await restore(this.source().parts, target, this.#showProgress(running), running.signal)
      this.#result = { outcome, isCheck }
    } catch (error) {
      this.#fail(error)
    } finally {
      window.removeEventListener('beforeunload', leave)
      this.#running = null
      this.source().draw()
      this.draw()
      this.element.querySelector('h2')?.scrollIntoView({ block: 'nearest' })
    }
  }

  #fail(error: unknown): void {
    this.#problem = t('restore.broken', { reason: error instanceof Error ? error.message : String(error) })
    this.draw()
  }

  #showProgress(running: AbortController): (progress: Progress) => void {
    const started = performance.now()
    const bar = make('progress', { max: '1', value: '0' })
    const text = make('p', { class: 'hint', role: 'status' })
    const stop = button(t('restore.stop'), () => running.abort(), { 'data-action': 'stop' })
    this.actions.replaceChildren(bar, text, make('div', { class: 'line' }, stop))
    let shown = 0
    return ({ bytes, totalBytes, files, totalFiles }) => {
      const now = performance.now()
      if (now - shown < shownEvery) return
      shown = now
      const share = totalBytes > 0 ? bytes / totalBytes : files / totalFiles
      bar.value = share
      const facts = [
        t('restore.running', {
          done: formatBytes(bytes),
          total: formatBytes(totalBytes),
          files: formatNumber(files),
          allFiles: formatNumber(totalFiles),
        }),
      ]
      const seconds = (now - started) / 1000
      if (seconds > 2 && share > 0) {
        facts.push(t('restore.left', { time: formatDuration((seconds * (1 - share)) / share) }))
      }
      text.textContent = facts.join(' · ')
    }
  }

  #resultNodes(): Node[] {
    if (this.#problem) return [card('!', t('restore.title'), '', alertText(this.#problem))]
    if (!this.#result) return []
    const { outcome, isCheck } = this.#result
    const values = { files: outcome.files, bytes: formatBytes(outcome.bytes), time: formatDuration(outcome.seconds) }
    const lists = this.#lists(outcome)
    const isWhole = lists.losses.length === 0 && !outcome.isStopped
    const content: Node[] = [make('p', {}, t(isCheck ? 'restore.checked' : 'restore.restored', values))]
    if (outcome.isStopped) content.push(make('p', { class: 'bad' }, t('restore.stopped')))
    const verdict = make('p', {
      class: isWhole ? 'good' : 'bad',
      role: 'status',
      'data-result': isWhole ? 'complete' : 'incomplete',
    })
    verdict.append(t(isWhole ? 'restore.all' : 'restore.some'))
    content.push(verdict)
    for (const [title, lines] of lists.all) {
      const shown = lines.slice(0, maxListed).map((line) => make('li', {}, make('bdi', {}, line)))
      content.push(make('h3', {}, title), make('ul', { class: 'findings' }, ...shown))
    }
    if (outcome.unreadable.length > 0) content.push(make('p', { class: 'hint' }, t('restore.failedHint')))
    const text = lists.all.map(([title, lines]) => [title, ...lines, ''].join('\r\n')).join('\r\n')
    const save = () => saveFile(new Blob(['\ufeff', text], { type: 'text/plain' }), 'tessera-restored.txt')
    if (lists.all.length > 0) content.push(make('div', { class: 'line' }, button(t('restore.save'), save)))
    if (this.source().recovery) content.push(make('p', { class: 'hint' }, t('restore.again')))
    return [card(isWhole ? '✓' : '!', t('restore.title'), '', ...content)]
  }

  #lists(outcome: Outcome) {
    const { recovery, printed } = this.source()
    const spaces = recovery?.spaces ?? []
    const all: [string, string[]][] = []
    if (outcome.unreadable.length > 0) all.push([t('restore.failed'), outcome.unreadable.map(unreadableText)])
    if (outcome.unwritten.length > 0) {
      all.push([t('restore.unwritten'), outcome.unwritten.map(({ path, reason }) => visible(`${path}: ${reason}`))])
    }
    for (const space of spaces) {
      const findings = spaceFindings(space, printed.get(space.space))
      if (findings.length > 0) all.push([titleOf(space), findings])
    }
    const general = recovery ? recoveryFindings(recovery) : []
    if (general.length > 0) all.push([t('copies.title'), general])
    const losses = [...all]
    if (outcome.renamed.length > 0) {
      all.push([t('restore.renamed'), outcome.renamed.map(({ path, name }) => visible(`${path} → ${name}`))])
    }
    const links = spaces.flatMap((space) =>
      linksOf(space.tree).map(({ path, target }) => visible(`${space.name}/${path} → ${target}`)),
    )
    if (links.length > 0) all.push([t('restore.links'), links])
    return { all, losses }
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

function unreadableText({ path, problems }: Outcome['unreadable'][0]): string {
  const reasons = (['absent', 'damaged', 'lie', 'apart'] as const)
    .filter((kind) => problems[kind].length > 0)
    .map((kind) => t(`pieces.${kind}`, { clouds: visible(problems[kind].join(', ')) }))
  // Isolated: the reasons may be written in the other direction.
  return reasons.length > 0 ? `\u2068${visible(path)}\u2069: ${reasons.join(' · ')}` : visible(path)
}
