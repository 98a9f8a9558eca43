// What jsdom lacks and the console calls.
if (!('matchMedia' in window) || typeof window.matchMedia !== 'function') {
  Object.defineProperty(window, 'matchMedia', {
    value: (query: string): MediaQueryList =>
      Object.assign(new EventTarget(), {
        matches: false,
        media: query,
        onchange: null,
        addListener: () => undefined,
        removeListener: () => undefined,
      }),
  })
}

window.scrollTo = () => undefined
Element.prototype.scrollIntoView = () => undefined

const modals: { dialog: HTMLDialogElement; before: Element | null }[] = []

/** What is outside the topmost modal dialog is inert. */
function hideAround(): void {
  const top = modals.at(-1)?.dialog
  for (const child of document.body.children) {
    if (top && !child.contains(top)) child.setAttribute('aria-hidden', 'true')
    else child.removeAttribute('aria-hidden')
  }
}

HTMLDialogElement.prototype.showModal = function showModal() {
  modals.push({ dialog: this, before: document.activeElement })
  this.open = true
  hideAround()
  this.focus()
}

HTMLDialogElement.prototype.close = function close() {
  const at = modals.findIndex(({ dialog }) => dialog === this)
  const [closed] = at < 0 ? [] : modals.splice(at, 1)
  this.open = false
  hideAround()
  if (closed?.before instanceof HTMLElement) closed.before.focus()
}

window.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented) return
  const top = modals.at(-1)?.dialog
  if (top?.dispatchEvent(new Event('cancel', { cancelable: true }))) top.close()
})

document.head.append(
  Object.assign(document.createElement('style'), { textContent: '[popover]:not(.open) { display: none }' }),
)

function toggle(popover: HTMLElement, newState: 'open' | 'closed'): void {
  if (popover.classList.contains('open') === (newState === 'open')) return
  const tell = (type: string) => popover.dispatchEvent(Object.assign(new Event(type), { newState }))
  tell('beforetoggle')
  popover.classList.toggle('open', newState === 'open')
  setTimeout(() => tell('toggle'))
}

HTMLElement.prototype.showPopover = function showPopover() {
  toggle(this, 'open')
}

HTMLElement.prototype.hidePopover = function hidePopover() {
  toggle(this, 'closed')
}

const popoverOf = (target: EventTarget | null) => {
  const id = target instanceof Element && target.closest('[popovertarget]')?.getAttribute('popovertarget')
  return id ? document.getElementById(id) : null
}

window.addEventListener('click', ({ target }) => {
  const popover = popoverOf(target)
  if (popover) toggle(popover, popover.classList.contains('open') ? 'closed' : 'open')
})

window.addEventListener('pointerdown', ({ target }) => {
  for (const popover of document.querySelectorAll<HTMLElement>('[popover="auto"].open')) {
    if (target instanceof Node && !popover.contains(target) && popoverOf(target) !== popover) toggle(popover, 'closed')
  }
})
