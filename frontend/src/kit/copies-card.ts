import { make } from '@/lib/dom'
import { visible } from '@/lib/visible'
import { companiesIn, takeInventory } from '@/vault/inventory'
import { savedShareName } from '@/vault/saved-shares'
import { alertText, button, card, nameText } from './elements'
import { copyOf, copyOfEntry, droppedEntries, isDirectory, type Copy } from './folders'
import { t } from './texts'

type Listed = Copy & { pieces: number; companies: number; hasSpaces: boolean; share: Blob | null }

/** The step in which the copies of the clouds are chosen. */
export class CopiesCard {
  readonly element = make('div')
  readonly #input = make('input', { type: 'file', name: 'folders', webkitdirectory: '', multiple: '' })
  #copies: Listed[] = []
  #found: number | null = null
  #problems: string[] = []

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

  /** What describes a share in one of the folders. Beside copies of spaces it may be a cloud's lie. */
  get share(): Blob | null {
    if (this.#hasSpaces) return null
    return this.#copies.find(({ share }) => share)?.share ?? null
  }

  get #hasSpaces(): boolean {
    return this.#copies.some(({ hasSpaces }) => hasSpaces)
  }

  draw(): void {
    const isDone = this.#copies.some((copy) => !isEmpty(copy))
    const hasFocus = document.activeElement === this.#input
    const add = make('label', { class: 'copy add' }, make('b', {}, t('copies.choose')), this.#input)
    add.append(make('span', { class: 'hint' }, t('copies.drop')))
    if (this.#found !== null) add.append(make('output', {}, t('copies.searching', { count: this.#found })))
    const list = make('div', { class: 'copies' }, ...this.#copies.map((copy) => this.#row(copy)), add)
    const note = this.#copies.length > 0 ? t('copies.found', { count: this.#copies.length }) : ''
    const content: Node[] = [make('p', { class: 'hint' }, t('copies.hint')), list]
    for (const problem of this.#problems) content.push(alertText(problem))
    this.element.replaceChildren(card(isDone ? '✓' : '1', t('copies.title'), note, ...content))
    if (hasFocus) this.#input.focus()
  }

  #row(copy: Listed): HTMLElement {
    const name = visible(copy.name)
    const row = make('div', { class: isEmpty(copy) ? 'copy empty' : 'copy' }, make('b', {}, nameText(name)))
    const note = isEmpty(copy) ? t('copies.nothing') : t('copies.pieces', { count: copy.pieces })
    row.append(make('span', { class: 'hint' }, note))
    const share = t(this.#hasSpaces ? 'copies.shareIgnored' : 'copies.share')
    if (copy.share) row.append(make('span', { class: 'hint' }, share))
    if (copy.companies > 1)
      row.append(make('span', { class: 'hint' }, t('copies.companies', { count: copy.companies })))
    const remove = () => {
      this.#copies = this.#copies.filter((each) => each !== copy)
      this.#changed()
    }
    row.append(button('×', remove, { class: 'remove', 'aria-label': t('copies.remove', { name: copy.name }) }))
    return row
  }

  async #drop(entries: FileSystemEntry[]): Promise<void> {
    const problems = entries
      .filter((entry) => !isDirectory(entry))
      .map(({ name }) => t('copies.noFolder', { name: visible(name) }))
    for (const folder of entries.filter(isDirectory)) {
      try {
        const copy = await copyOfEntry(folder, (found) => {
          this.#found = found
          this.draw()
        })
        this.#add(copy)
      } catch (error) {
        problems.push(t('copies.unreadable', { name: visible(folder.name), reason: String(error) }))
      }
    }
    this.#found = null
    this.#problems = problems
    this.draw()
  }

  #add({ name, files }: Copy): void {
    const [warehouse] = takeInventory([{ name, files }])
    const { segments = [], recoveries = [], shards = new Map<string, Map<string, unknown[]>>() } = warehouse ?? {}
    let pieces = 0
    for (const packs of shards.values()) for (const found of packs.values()) pieces += found.length
    const share = files.find(({ path }) => path.endsWith(`/${savedShareName}`))?.blob ?? null
    this.#problems = []
    this.#copies.push({
      name: this.#freeName(name),
      files,
      pieces,
      companies: warehouse ? companiesIn(warehouse).length : 0,
      hasSpaces: segments.length + recoveries.length > 0,
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

function isEmpty({ companies, share }: Listed): boolean {
  return companies === 0 && !share
}
