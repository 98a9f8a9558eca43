import { make } from '@/lib/dom'
import { formatTime } from '@/lib/page-texts'
import { toHex } from '@/vault/binary'
import type { PrintedEntry } from '@/vault/entry-tree'
import type { Recovery } from '@/vault/rescue'
import type { RescuedSpace } from '@/vault/rescued-space'
import { ChoiceList } from './choice-list'
import { alertText, button, card, field } from './elements'
import { copyFindings, foreignFindings, recoveryFindings, spaceFindings, titleOf } from './findings'
import type { Part } from './restore'
import { choicesOf, chosenItems, isAnyChosen, type Choice, type Chosen } from './selection'
import { readTypedEntry } from './sheet'
import { t } from './texts'

type Shown = { space: RescuedSpace; choice: Choice }

/** The step in which somebody looks at the spaces and chooses what to restore. */
export class SpacesCard {
  readonly element = make('div')
  #recovery: Recovery | null = null
  #shown: Shown[] = []

  constructor(
    readonly printed: Map<string, PrintedEntry>,
    readonly actions: HTMLElement,
    readonly handlers: { onChoice: () => void; onCompare: () => void },
  ) {}

  set recovery(recovery: Recovery | null) {
    this.#recovery = recovery
    this.#shown = recovery?.spaces.map((space) => ({ space, choice: choicesOf(space.tree.walk()) })) ?? []
    this.draw()
  }

  get recovery(): Recovery | null {
    return this.#recovery
  }

  get chosen(): Chosen {
    const sum = { files: 0, bytes: 0, folders: 0 }
    for (const { choice } of this.#shown) {
      sum.files += choice.chosenFiles
      sum.bytes += choice.chosenBytes
      sum.folders += choice.chosenFolders
    }
    return sum
  }

  get parts(): Part[] {
    return this.#shown
      .filter(({ choice }) => isAnyChosen(choice))
      .map(({ space, choice }) => ({ space, title: titleOf(space), ...chosenItems(choice) }))
  }

  draw(): void {
    const recovery = this.#recovery
    if (!recovery) {
      this.element.replaceChildren()
      return
    }
    const list = new ChoiceList(this.handlers.onChoice)
    const spaces = this.#shown.map((shown) => this.#space(shown, recovery, list))
    list.refresh()
    const general = [...recoveryFindings(recovery), ...foreignFindings(recovery)].map((text) => make('li', {}, text))
    const content: Node[] = spaces.length > 0 ? spaces : [alertText(t('spaces.none'))]
    if (general.length > 0) content.push(make('ul', { class: 'findings' }, ...general))
    this.element.replaceChildren(card('3', t('spaces.title'), '', ...content, this.actions))
  }

  #space({ space, choice }: Shown, recovery: Recovery, list: ChoiceList): HTMLElement {
    const findings = spaceFindings(space, this.printed.get(space.space))
    const isComplete = findings.length === 0
    const state = make(
      'span',
      { class: isComplete ? 'good' : 'bad' },
      t(isComplete ? 'spaces.complete' : 'spaces.incomplete'),
    )
    const printedState = space.isPrinted === null ? 'notCompared' : space.isPrinted ? 'asPrinted' : 'notPrinted'
    const facts = [
      t('spaces.readTo', { time: formatTime(space.readTo.time), sequence: space.readTo.sequence }),
      t('spaces.verified'),
      t(`spaces.${printedState}`),
      t('spaces.files', { count: choice.files }),
    ]
    const lines = [...findings, ...copyFindings(space, recovery.clouds, formatTime)]
    const element = make('div', { class: 'space' }, list.row(choice, titleOf(space), state))
    element.append(make('p', { class: 'hint' }, facts.join(' · ')))
    if (lines.length > 0)
      element.append(make('ul', { class: 'findings' }, ...lines.map((text) => make('li', {}, text))))
    element.append(this.#details(space))
    return element
  }

  #details(space: RescuedSpace): HTMLElement {
    const sequence = make('input', { type: 'text', inputmode: 'numeric', dir: 'ltr', autocomplete: 'off' })
    const hash = make('input', { type: 'text', dir: 'ltr', autocomplete: 'off', spellcheck: 'false' })
    const printed = this.printed.get(space.space)
    if (printed) {
      sequence.value = String(printed.sequence)
      hash.value = toHex(printed.hash)
    }
    const problem = make('p', { class: 'error', role: 'alert' })
    const compare = () => {
      const entry = readTypedEntry(sequence.value, hash.value)
      problem.textContent = entry ? '' : t('spaces.badEntry')
      if (!entry) return
      this.printed.set(space.space, entry)
      this.handlers.onCompare()
    }
    const value = (label: string, text: string) => make('p', {}, `${label}: `, make('code', { dir: 'ltr' }, text))
    return make(
      'details',
      {},
      make('summary', {}, t('spaces.details')),
      value(t('spaces.id'), space.space),
      value(t('spaces.hash'), grouped(toHex(space.readTo.hash).slice(0, 32))),
      make('p', { class: 'hint' }, t('spaces.compareHint')),
      make('div', { class: 'pair' }, field(t('spaces.sequence'), sequence), field(t('spaces.hash'), hash)),
      problem,
      button(t('spaces.compare'), compare),
    )
  }
}

function grouped(digits: string): string {
  return (digits.match(/.{4}/g) ?? []).join(' ')
}
