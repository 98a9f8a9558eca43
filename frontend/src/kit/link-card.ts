import { make } from '@/lib/dom'
import { readShareLink, type ShareLink } from '@/vault/shares'
import { alertText, card, field } from './elements'
import { t } from './texts'

const quiet = { autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' }

/** The step in which the link of a share is entered, and its password if it has one. */
export class LinkCard {
  readonly element = make('div')
  readonly #link = make('input', { name: 'link', type: 'text', dir: 'ltr', ...quiet })
  readonly #password = make('input', { name: 'password', type: 'password', ...quiet })

  constructor() {
    this.#link.addEventListener('input', () => this.show({}))
  }

  /** Null for what is no link. Blanks come from where a mail program broke the line. */
  get link(): ShareLink | null {
    try {
      return readShareLink(this.#link.value.replaceAll(/\s/g, ''))
    } catch {
      return null
    }
  }

  get isEmpty(): boolean {
    return this.#link.value.trim() === ''
  }

  get password(): string {
    return this.#password.value
  }

  show({ problem = '', working = '', isOpen = false }): void {
    const focused = [this.#link, this.#password].find((input) => input === document.activeElement)
    const content: Node[] = [field(t('link.link'), this.#link, t('link.hint'))]
    if (this.link?.hasPassword) content.push(field(t('link.password'), this.#password))
    if (problem) content.push(alertText(problem))
    const open = make('button', { type: 'submit', class: 'primary' }, working || t('secret.open'))
    open.disabled = working !== ''
    content.push(open)
    this.element.replaceChildren(card(isOpen ? '✓' : '2', t('link.title'), '', ...content))
    focused?.focus()
  }
}
