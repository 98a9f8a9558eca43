import { lazy, useState, type ComponentType } from 'react'

export type LazyPage<Props = object> = { Component: ComponentType<Props>; preload: () => Promise<unknown> }

/** A page, or a part of one, in its own chunk that can be preloaded. What is preloaded is rendered at once; `React.lazy`
 *  alone would show the fallback for a moment. */
export function lazyPage<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyPage<Props> {
  let loaded: ComponentType<Props> | null = null
  const loadOnce = async () => {
    const module = await load()
    loaded = module.default
    return module
  }
  const Lazy = lazy(loadOnce)
  function Component(props: Props) {
    // Chosen once: another component type would reset the page's state.
    const [Page] = useState<ComponentType<Props>>(() => loaded ?? Lazy)
    return <Page {...props} />
  }
  return { Component, preload: loadOnce }
}
