import { make } from '@/lib/dom'
import { formatBytes } from '@/lib/page-texts'
import { visible } from '@/lib/visible'
import { button, nameText } from './elements'
import { choose, type Choice } from './selection'
import { t } from './texts'

const maxShown = 500

/** Folders and files with a box each. What is in a folder is drawn when somebody opens it. */
export class ChoiceList {
  readonly #boxes = new Map<Choice, HTMLInputElement>()

  constructor(readonly onChange: () => void) {}

  row(choice: Choice, title: string, ...more: (Node | string)[]): HTMLElement {
    const name = visible(title)
    const row = make('div', { class: 'row' })
    const item = make('div', { class: 'item' }, row)
    if (choice.children.size > 0) row.append(this.#opener(choice, name, item))
    else row.append(make('span', { class: 'opener' }))
    const box = make('input', { type: 'checkbox', 'aria-label': t('spaces.choose', { name: title }) })
    box.disabled = choice.files + choice.folders === 0
    box.addEventListener('change', () => {
      choose(choice, box.checked)
      this.refresh()
      this.onChange()
    })
    this.#boxes.set(choice, box)
    row.append(box, make('span', { class: 'name' }, nameText(name)), ...more)
    row.append(make('span', { class: 'size' }, formatBytes(choice.bytes)))
    return item
  }

  refresh(): void {
    for (const [choice, box] of this.#boxes) {
      const [all, chosen] = [choice.files + choice.folders, choice.chosenFiles + choice.chosenFolders]
      box.checked = all > 0 && chosen === all
      box.indeterminate = chosen > 0 && chosen < all
    }
  }

  #opener(choice: Choice, name: string, item: HTMLElement): HTMLElement {
    let below: HTMLElement | null = null
    const toggle = () => {
      const isOpen = below === null
      if (below) below.remove()
      below = isOpen ? this.#below(choice) : null
      if (below) item.append(below)
      this.refresh()
      opener.setAttribute('aria-expanded', String(isOpen))
      opener.setAttribute('aria-label', t(isOpen ? 'spaces.close' : 'spaces.open', { name }))
    }
    const label = t('spaces.open', { name })
    const opener = button('', toggle, { class: 'opener', 'aria-expanded': 'false', 'aria-label': label })
    return opener
  }

  #below(choice: Choice): HTMLElement {
    const sorted = [...choice.children.values()].sort(byName)
    const rows = sorted.slice(0, maxShown).map((child) => this.row(child, child.name))
    const list = make('div', { class: 'below' }, ...rows)
    const hidden = sorted.length - rows.length
    if (hidden > 0) list.append(make('p', { class: 'hint' }, t('spaces.more', { count: hidden })))
    return list
  }
}

function byName(left: Choice, right: Choice): number {
  const folders = Number(right.children.size > 0) - Number(left.children.size > 0)
  return folders || left.name.localeCompare(right.name)
}
