import { afterAll, vi } from 'vitest'

// All test files of a worker share one window. Each starts on a blank page, with its own modules.
localStorage.clear()
sessionStorage.clear()
window.history.replaceState(null, '', '/')
document.title = ''
document.head.replaceChildren()
document.body.replaceChildren()
for (const element of [document.documentElement, document.body]) {
  for (const name of element.getAttributeNames()) element.removeAttribute(name)
}

const listen = window.addEventListener
const heard: Parameters<typeof listen>[] = []

// The modules of this file stop listening when it ends; those of the next one are other copies.
window.addEventListener = (...listener: Parameters<typeof listen>) => {
  heard.push(listener)
  listen(...listener)
}

afterAll(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  window.addEventListener = listen
  for (const listener of heard) window.removeEventListener(...listener)
  vi.resetModules()
})
