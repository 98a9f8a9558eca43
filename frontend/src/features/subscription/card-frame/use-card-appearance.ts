import { useMemo, useSyncExternalStore } from 'react'
import type { CardAppearance } from '@/card/protocol'

const root = document.documentElement

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(root, { attributes: true, attributeFilter: ['lang', 'data-theme'] })
  return () => observer.disconnect()
}

/** Language and theme of the page around, as they are now. */
export function useCardAppearance(): CardAppearance {
  const language = useSyncExternalStore(subscribe, () => root.lang)
  const theme = useSyncExternalStore(subscribe, () => (root.dataset.theme === 'dark' ? 'dark' : 'light'))
  return useMemo(() => ({ language, theme }), [language, theme])
}
