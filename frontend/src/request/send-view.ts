import { alertText, button, nameText } from '@/kit/elements'
import { make } from '@/lib/dom'
import { formatBytes, formatTime } from '@/lib/page-texts'
import { visible } from '@/lib/visible'
import { Choice, chosenFiles, droppedFiles } from './choice'
import { reasonOf, type Reason } from './errors'
import type { OpenRequest } from './open-request'
import { SendProgress } from './send-progress'
import { sendFiles, type ChosenFile, type Sent } from './send'
import { t } from './texts'

const maxListed = 200

type State =
  | { step: 'choosing'; failure: Reason | null; isStopped: boolean }
  | { step: 'sending'; progress: SendProgress }
  | { step: 'sent'; sent: Sent }

/** An open request: what is asked for, what somebody chooses, and how far it is sent. */
export class SendView {
  readonly element = make('div')
  #choice = new Choice()
  #state: State = { step: 'choosing', failure: null, isStopped: false }

  constructor(readonly request: OpenRequest) {}

  get isSending(): boolean {
    return this.#state.step === 'sending'
  }

  draw(): void {
    const { details, bytesLeft, expiresAt } = this.request
    const limits = {
      files: details.maxFiles,
      size: formatBytes(Math.min(details.maxBytes, bytesLeft)),
      until: formatTime(expiresAt),
    }
    this.element.replaceChildren(
      make('p', { class: 'asked' }, t('asked')),
      make('h1', { tabindex: '-1' }, nameText(visible(details.title))),
      make('p', { class: 'lead' }, t('lead')),
      ...this.#content(),
      make('p', { class: 'hint' }, t('limits', limits)),
      make('p', { class: 'hint' }, t('unchecked')),
      make('p', { class: 'hint' }, t('program')),
    )
  }

  #content(): Node[] {
    const state = this.#state
    switch (state.step) {
      case 'choosing': {
        const nodes: Node[] = [this.#chooser()]
        if (state.failure) nodes.unshift(alertText(t(`reasons.${state.failure}`)))
        if (state.isStopped) nodes.unshift(make('p', { class: 'hint', role: 'status' }, t('send.stopped')))
        return nodes
      }
      case 'sending':
        state.progress.draw()
        return [state.progress.element]
      case 'sent':
        return [this.#sent(state.sent)]
    }
  }

  #chooser(): HTMLElement {
    const { files, bytes, refused } = this.#choice
    const card = make('section', { class: 'card' }, make('h2', {}, t('choose.files')))
    card.append(this.#dropArea())
    if (refused.length > 0) card.append(alertText(t('choose.refused')), pathList(refused))
    if (files.length === 0) return card
    const problem = this.#choice.problem(this.request)
    card.append(this.#list(files), make('p', {}, t('choose.total', { count: files.length, size: formatBytes(bytes) })))
    if (problem) card.append(alertText(t(`choose.${problem}`)))
    const send = button(t('send.send'), () => void this.#send(), { class: 'primary', 'data-action': 'send' })
    send.disabled = problem !== null
    card.append(make('div', { class: 'line' }, send))
    return card
  }

  #dropArea(): HTMLElement {
    const area = make('div', { class: 'drop' })
    area.append(make('p', { class: 'hint' }, t('choose.drop')))
    const buttons = make('div', { class: 'line' }, this.#input('choose.choose', 'files'))
    if ('webkitdirectory' in HTMLInputElement.prototype) buttons.append(this.#input('choose.folder', 'folder'))
    area.append(buttons)
    area.addEventListener('dragover', (event) => {
      event.preventDefault()
      area.classList.add('over')
    })
    area.addEventListener('dragleave', () => area.classList.remove('over'))
    area.addEventListener('drop', (event) => {
      event.preventDefault()
      const items = event.dataTransfer?.items
      if (items) void droppedFiles(items).then((files) => this.#add(files))
    })
    return area
  }

  #input(label: 'choose.choose' | 'choose.folder', name: 'files' | 'folder'): HTMLElement {
    const input = make('input', { type: 'file', multiple: '', name, 'aria-label': t(label) })
    input.webkitdirectory = name === 'folder'
    input.addEventListener('change', () => this.#add(input.files ? chosenFiles(input.files) : []))
    return make('label', { class: 'button' }, t(label), input)
  }

  #add(files: readonly ChosenFile[]): void {
    this.#choice.add(files)
    this.#show({ step: 'choosing', failure: null, isStopped: false })
  }

  #list(files: readonly ChosenFile[]): HTMLElement {
    const rows = files.slice(0, maxListed).map(({ path, file }) => {
      const remove = button('×', () => this.#remove(path), {
        class: 'save',
        'aria-label': t('choose.remove', { name: path }),
      })
      const name = make('span', { class: 'name' }, nameText(visible(path)))
      return make('li', { class: 'file' }, name, make('span', { class: 'size' }, formatBytes(file.size)), remove)
    })
    const list = make('ul', { class: 'files' }, ...rows)
    const more = files.length - rows.length
    if (more > 0) list.append(make('li', { class: 'hint' }, t('choose.more', { count: more })))
    return list
  }

  #remove(path: string): void {
    this.#choice.remove(path)
    this.draw()
  }

  async #send(): Promise<void> {
    const progress = new SendProgress(this.#choice.bytes)
    this.#show({ step: 'sending', progress })
    const leave = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', leave)
    try {
      const sent = await sendFiles(this.request, this.#choice.files, progress)
      this.#choice = new Choice()
      this.#show({ step: 'sent', sent })
    } catch (error) {
      const isStopped = progress.signal.aborted
      this.#show({ step: 'choosing', failure: isStopped ? null : reasonOf(error), isStopped })
    } finally {
      window.removeEventListener('beforeunload', leave)
    }
    this.element.querySelector('h1')?.focus()
  }

  #sent({ files, bytes, unreadable }: Sent): HTMLElement {
    const card = make('section', { class: 'card', role: 'status' })
    if (files > 0) {
      const values = { count: files, size: formatBytes(bytes) }
      card.append(make('p', { class: 'good', 'data-result': 'sent' }, t('sent.done', values)))
      card.append(make('p', { class: 'hint' }, t('sent.next')))
    }
    if (unreadable.length > 0) card.append(alertText(t('sent.unreadable')), pathList(unreadable))
    const more = button(t('sent.more'), () => this.#add([]))
    card.append(make('div', { class: 'line' }, more))
    return card
  }

  #show(state: State): void {
    this.#state = state
    this.draw()
  }
}

function pathList(paths: readonly string[]): HTMLElement {
  const shown = paths.slice(0, maxListed).map((path) => make('li', {}, make('bdi', {}, visible(path))))
  return make('ul', { class: 'findings' }, ...shown)
}
