import { make } from '@/lib/dom'
import { followBrowser, pageHead } from '@/lib/page-head'
import { FormatError } from '@/vault/errors'
import { openRecovery, RecoveryError, type RecoveryProgress } from '@/vault/rescue'
import type { WorkerPool } from '@/vault/pool'
import { isOfLink, openSavedShare, readSavedShare } from '@/vault/saved-shares'
import { CopiesCard } from './copies-card'
import { card } from './elements'
import { LinkCard } from './link-card'
import { RestoreCard } from './restore-card'
import { SecretCard } from './secret-card'
import { ShareCard } from './share-card'
import { SpacesCard } from './spaces-card'
import { t } from './texts'
import { startPool } from './workers'

const tools = [
  'Windows  certutil -hashfile kit.html SHA256',
  'macOS    shasum -a 256 kit.html',
  'Linux    sha256sum kit.html',
]

export function startPage(): void {
  followBrowser()
  document.querySelector('#kit')?.append(new Page().element)
}

class Page {
  readonly element = make('div')
  readonly #head = make('div')
  readonly #first = make('div')
  readonly #form = make('form', { novalidate: '', autocomplete: 'off' })
  readonly #copies = new CopiesCard(() => this.#forget())
  readonly #secret = new SecretCard()
  readonly #link = new LinkCard()
  readonly #restore: RestoreCard = new RestoreCard(() => (this.#copies.share ? this.#share : this.#spaces))
  readonly #share: ShareCard = new ShareCard(this.#restore.actions, () => this.#restore.drawActions())
  readonly #spaces: SpacesCard = new SpacesCard(this.#secret.printed, this.#restore.actions, {
    onChoice: () => this.#restore.drawActions(),
    onCompare: () => void this.#open(),
  })
  #pool: WorkerPool | null = null
  #isOpening = false

  constructor() {
    this.#form.append(this.#copies.element, this.#secret.element)
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.#open()
    })
    for (const name of ['online', 'offline']) window.addEventListener(name, () => this.#drawFirst())
    // A file that misses the field would replace the page.
    for (const name of ['dragover', 'drop']) window.addEventListener(name, (event) => event.preventDefault())
    const found = [this.#spaces.element, this.#share.element]
    this.element.append(this.#head, this.#first, this.#form, ...found, this.#restore.element)
    this.#draw()
  }

  #draw(): void {
    this.#drawHead()
    this.#drawFirst()
    this.#copies.draw()
    this.#showState()
    this.#spaces.draw()
    this.#share.draw()
    this.#restore.draw()
  }

  #drawHead(): void {
    const labels = { language: t('language'), theme: t('theme') }
    const top = pageHead(labels, t('noNetwork'), () => this.#draw())
    this.#head.replaceChildren(top, make('h1', {}, t('title')), make('p', { class: 'lead' }, t('lead')))
  }

  #drawFirst(): void {
    const steps = make('ol', { class: 'steps' })
    const check = make('li', {}, t('first.check'), make('pre', { dir: 'ltr' }, tools.join('\n')))
    steps.append(check, make('li', {}, t('first.offline')), make('li', {}, t('first.type')))
    const isOnline = navigator.onLine
    const state = make('p', { class: isOnline ? 'bad' : 'good', role: 'status' })
    state.append(t(isOnline ? 'first.isOnline' : 'first.isOffline'))
    this.#first.replaceChildren(card('!', t('first.title'), '', steps, state))
  }

  /** Other copies or secrets: what was read before no longer counts. */
  #forget(): void {
    this.#pool?.close()
    this.#pool = null
    this.#spaces.recovery = null
    this.#share.share = null
    this.#restore.reset()
    this.#showState()
  }

  #showState(problem = ''): void {
    const step = this.#copies.share ? this.#link.element : this.#secret.element
    if (step.parentElement !== this.#form) this.#form.lastElementChild?.replaceWith(step)
    this.#link.show({ problem, isOpen: this.#share.share !== null })
    const kit = this.#spaces.recovery?.kit
    this.#secret.show({ problem, opened: kit === undefined ? '' : t('secret.opened', { kit }) })
  }

  async #open(): Promise<void> {
    if (this.#isOpening) return
    const problem = this.#missing()
    if (problem) {
      this.#showState(problem)
      return
    }
    this.#isOpening = true
    this.#forget()
    // More would rescue faster, and need more than 600 MB of memory.
    const pool = startPool(1)
    this.#pool = pool
    const { share } = this.#copies
    let failure = ''
    try {
      failure = share ? await this.#openShare(share, pool) : await this.#openSpaces(pool)
    } catch (error) {
      failure = t('errors.unexpected', { reason: error instanceof Error ? error.message : String(error) })
    }
    this.#isOpening = false
    this.#showState(failure)
    this.#restore.draw()
    const opened = share ? this.#share : this.#spaces
    if (!failure) opened.element.scrollIntoView({ block: 'start' })
  }

  async #openSpaces(pool: WorkerPool): Promise<string> {
    try {
      this.#spaces.recovery = await openRecovery({
        clouds: this.#copies.copies,
        passphrase: this.#secret.passphrase.value,
        code: this.#secret.code.value,
        printed: this.#secret.printed,
        openPack: pool.openPack,
        stretch: pool.stretch,
        onProgress: (progress) => this.#secret.show({ working: stepText(progress) }),
      })
      return ''
    } catch (error) {
      if (error instanceof RecoveryError) return t(`errors.${error.code}`)
      throw error
    }
  }

  async #openShare(description: Blob, pool: WorkerPool): Promise<string> {
    const { link } = this.#link
    if (!link) return t('errors.badLink')
    this.#link.show({ working: t('steps.link') })
    const password = link.hasPassword ? this.#link.password : null
    try {
      const saved = await readSavedShare(description)
      if (!isOfLink(saved, link)) return t('errors.otherLink')
      const given = { link, password, clouds: this.#copies.copies }
      this.#share.share = await openSavedShare(saved, given, pool)
      return ''
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      if (error.code !== 'not_authentic') return t('errors.badShare')
      return t(link.hasPassword ? 'errors.wrongPassword' : 'errors.wrongLink')
    }
  }

  #missing(): string {
    if (this.#copies.copies.length === 0) return t('errors.noFolder')
    if (this.#copies.share) {
      if (this.#link.isEmpty) return t('errors.noLink')
      return this.#link.link?.hasPassword && this.#link.password === '' ? t('errors.noPassword') : ''
    }
    if (this.#secret.passphrase.value.trim() === '') return t('errors.noPassphrase')
    return this.#secret.code.value.trim() === '' ? t('errors.noCode') : ''
  }
}

function stepText({ step, done, total }: RecoveryProgress): string {
  return step === 'secret' ? t('steps.secret') : t('steps.spaces', { done: done + 1, total })
}
