import { lazy, useState, type ComponentType } from 'react'

export type LazyPage = { Component: ComponentType; preload: () => Promise<unknown> }

/** A page in its own chunk that can be preloaded. A preloaded page is rendered at once; `React.lazy` alone would
 *  show the fallback for a moment. */
export function lazyPage(load: () => Promise<{ default: ComponentType }>): LazyPage {
  let loaded: ComponentType | null = null
  const loadOnce = async () => {
    const module = await load()
    loaded = module.default
    return module
  }
  const Lazy = lazy(loadOnce)
  function Component() {
    // Chosen once: another component type would reset the page's state.
    const [Page] = useState<ComponentType>(() => loaded ?? Lazy)
    return <Page />
  }
  return { Component, preload: loadOnce }
}
