import { useEffect, useEffectEvent } from 'react'

/** Ctrl K or ⌘ K, by the key's place: an Arabic keyboard has another letter there. */
export function useSearchShortcut(onPress: () => void): void {
  const press = useEffectEvent(onPress)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      if (event.code !== 'KeyK' && event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      press()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
