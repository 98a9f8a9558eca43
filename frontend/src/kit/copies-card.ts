import { make } from '@/lib/dom'
import { visible } from '@/lib/visible'
import { takeInventory } from '@/vault/inventory'
import { savedShareName } from '@/vault/saved-shares'
import { alertText, button, card, nameText } from './elements'
import { copyOf, copyOfEntry, droppedEntries, type Copy } from './folders'
import { t } from './texts'

type Listed = Copy & { pieces: number; companies: number; isEmpty: boolean; share: Blob | null }

/** The step in which the copies of the clouds are chosen. */
export class CopiesCard {
  readonly element = make('div')
  readonly #input = make('input', { type: 'file', name: 'folders', webkitdirectory: '', multiple: '' })
  #copies: Listed[] = []
  #found: number | null = null
  #problem = ''

  constructor(readonly onChange: () => void) {
    this.#input.addEventListener('change', () => {
      const copy = this.#input.files && copyOf(this.#input.files)
      // So that the same field takes the next folder.
      this.#input.value = ''
      if (copy) this.#add(copy)
    })
    this.element.addEventListener('dragover', (event) => {
      event.preventDefault()
    })
    this.element.addEventListener('drop', (event) => {
      event.preventDefault()
      if (event.dataTransfer) void this.#drop(droppedEntries(event.dataTransfer.items))
    })
  }

  get copies(): readonly Copy[] {
    return this.#copies
  }

  /** What describes a share in one of the folders. */
  get share(): Blob | null {
    return this.#copies.find(({ share }) => share)?.share ?? null
  }

  draw(): void {
    const isDone = this.#copies.some(({ isEmpty }) => !isEmpty)
    const hasFocus = document.activeElement === this.#input
    const add = make('label', { class: 'copy add' }, make('b', {}, t('copies.choose')), this.#input)
    add.append(make('span', { class: 'hint' }, t('copies.drop')))
    if (this.#found !== null) add.append(make('output', {}, t('copies.searching', { count: this.#found })))
    const list = make('div', { class: 'copies' }, ...this.#copies.map((copy) => this.#row(copy)), add)
    const note = this.#copies.length > 0 ? t('copies.found', { count: this.#copies.length }) : ''
    const content: Node[] = [make('p', { class: 'hint' }, t('copies.hint')), list]
    if (this.#problem) content.push(alertText(this.#problem))
    this.element.replaceChildren(card(isDone ? '✓' : '1', t('copies.title'), note, ...content))
    if (hasFocus) this.#input.focus()
  }

  #row(copy: Listed): HTMLElement {
    const name = visible(copy.name)
    const row = make('div', { class: copy.isEmpty ? 'copy empty' : 'copy' }, make('b', {}, nameText(name)))
    const note = copy.isEmpty ? t('copies.nothing') : t('copies.pieces', { count: copy.pieces })
    row.append(make('span', { class: 'hint' }, note))
    if (copy.share) row.append(make('span', { class: 'hint' }, t('copies.share')))
    if (copy.companies > 1)
      row.append(make('span', { class: 'hint' }, t('copies.companies', { count: copy.companies })))
    const remove = () => {
      this.#copies = this.#copies.filter((each) => each !== copy)
      this.#changed()
    }
    row.append(button('×', remove, { class: 'remove', 'aria-label': t('copies.remove', { name: copy.name }) }))
    return row
  }

  async #drop(folders: FileSystemDirectoryEntry[]): Promise<void> {
    for (const folder of folders) {
      try {
        const copy = await copyOfEntry(folder, (found) => {
          this.#found = found
          this.draw()
        })
        this.#add(copy)
      } catch (error) {
        this.#problem = t('copies.unreadable', { name: folder.name, reason: String(error) })
      }
    }
    this.#found = null
    this.draw()
  }

  #add({ name, files }: Copy): void {
    const [warehouse] = takeInventory([{ name, files }])
    const { segments = [], recoveries = [], shards = new Map<string, Map<string, unknown[]>>() } = warehouse ?? {}
    const companies = new Set([...shards.keys(), ...[...segments, ...recoveries].map(({ company }) => company)])
    let pieces = 0
    for (const packs of shards.values()) for (const found of packs.values()) pieces += found.length
    const share = files.find(({ path }) => path.endsWith(`/${savedShareName}`))?.blob ?? null
    this.#problem = ''
    this.#copies.push({
      name: this.#freeName(name),
      files,
      pieces,
      companies: companies.size,
      isEmpty: companies.size === 0 && !share,
      share,
    })
    this.#changed()
  }

  /** Copies are told apart by their names in everything that is said of them. */
  #freeName(name: string): string {
    let free = name
    for (let number = 2; this.#copies.some((copy) => copy.name === free); number += 1) free = `${name} (${number})`
    return free
  }

  #changed(): void {
    this.draw()
    this.onChange()
  }
}
