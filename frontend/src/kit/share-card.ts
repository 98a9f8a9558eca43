import { make } from '@/lib/dom'
import { formatTime } from '@/lib/page-texts'
import type { OpenedShare } from '@/vault/saved-shares'
import { ChoiceList } from './choice-list'
import { card } from './elements'
import type { Part } from './restore'
import type { ChoosingCard } from './restore-card'
import { choicesOf, chosenItems, type Choice, type Chosen } from './selection'
import { t } from './texts'

/** The step in which somebody chooses among the files of a link. */
export class ShareCard implements ChoosingCard {
  readonly element = make('div')
  readonly recovery = null
  readonly printed = new Map<never, never>()
  #share: OpenedShare | null = null
  #choice: Choice | null = null

  constructor(
    readonly actions: HTMLElement,
    readonly onChoice: () => void,
  ) {}

  get share(): OpenedShare | null {
    return this.#share
  }

  set share(share: OpenedShare | null) {
    this.#share = share
    this.#choice = share && choicesOf(share.manifest.items)
    this.draw()
  }

  get chosen(): Chosen {
    const { chosenFiles = 0, chosenBytes = 0, chosenFolders = 0 } = this.#choice ?? {}
    return { files: chosenFiles, bytes: chosenBytes, folders: chosenFolders }
  }

  get parts(): Part[] {
    if (!this.#share || !this.#choice) return []
    return [{ space: this.#share, title: t('link.folder'), ...chosenItems(this.#choice) }]
  }

  draw(): void {
    if (!this.#share || !this.#choice) {
      this.element.replaceChildren()
      return
    }
    const list = new ChoiceList(this.onChoice)
    const row = list.row(this.#choice, t('link.files'))
    list.refresh()
    const facts = make('p', { class: 'hint' }, make('span', { class: 'good' }, t('link.verified')))
    facts.append(` · ${t('link.until', { time: formatTime(this.#share.manifest.expires) })}`)
    const files = make('div', { class: 'space' }, row, facts)
    this.element.replaceChildren(card('3', t('spaces.title'), '', files, this.actions))
  }
}
