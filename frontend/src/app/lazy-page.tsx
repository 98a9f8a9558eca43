import { lazy, useState, type ComponentType } from 'react'

export type LazyPage = { Component: ComponentType; preload: () => Promise<unknown> }

/** A page in a chunk of its own that can also be fetched ahead. One that has been is rendered in the first go;
 *  React would otherwise show the waiting state for a moment, even when everything is there. */
export function lazyPage(load: () => Promise<{ default: ComponentType }>): LazyPage {
  let loaded: ComponentType | null = null
  const loadOnce = async () => {
    const module = await load()
    loaded = module.default
    return module
  }
  const Lazy = lazy(loadOnce)
  function Component() {
    // Chosen once: another type at the same place would throw the page's state away.
    const [Page] = useState<ComponentType>(() => loaded ?? Lazy)
    return <Page />
  }
  return { Component, preload: loadOnce }
}
