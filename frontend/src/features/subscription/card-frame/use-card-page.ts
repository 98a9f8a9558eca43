import { useEffect, useRef, useState, type RefObject } from 'react'
import {
  isFromCardPage,
  type CardAppearance,
  type CardIntent,
  type CardPurpose,
  type ToCardPage,
} from '@/card/protocol'

const PATIENCE_MS = 15_000

type Talk = {
  origin: string
  intent: CardIntent
  purpose: CardPurpose
  appearance: CardAppearance
  /** Answers why the token was refused and another intent for the next try, or null when all is done. */
  onToken: (token: string) => Promise<{ text: string; intent: CardIntent } | null>
}

/** The conversation with the card entry page. Height 0: it has not answered yet. */
export function useCardPage(frame: RefObject<HTMLIFrameElement | null>, talk: Talk) {
  const { origin, intent, purpose, appearance } = talk
  const [height, setHeight] = useState(0)
  const [silent, setSilent] = useState(false)
  const [loaded, setLoaded] = useState(false)
  const onToken = useRef(talk.onToken)
  useEffect(() => {
    onToken.current = talk.onToken
  })

  useEffect(() => {
    const page = frame.current?.contentWindow
    const hear = (event: MessageEvent<unknown>) => {
      if (event.origin !== origin || event.source !== page || !isFromCardPage(event.data)) return
      if (event.data.about === 'height') {
        setHeight(event.data.height)
        return
      }
      void onToken.current(event.data.token).then((refusal) => {
        if (refusal) page?.postMessage({ about: 'refused', ...refusal } satisfies ToCardPage, origin)
      })
    }
    window.addEventListener('message', hear)
    return () => window.removeEventListener('message', hear)
  }, [frame, origin])

  const firstAppearance = useRef(appearance)
  useEffect(() => {
    if (!loaded) return
    const message: ToCardPage = { about: 'setUp', appearance: firstAppearance.current, purpose, intent }
    frame.current?.contentWindow?.postMessage(message, origin)
    // A page that could not be fetched "loads" as well; it just never answers.
    const timer = window.setTimeout(() => setSilent(true), PATIENCE_MS)
    return () => window.clearTimeout(timer)
  }, [frame, origin, purpose, intent, loaded])

  useEffect(() => {
    firstAppearance.current = appearance
    if (loaded)
      frame.current?.contentWindow?.postMessage({ about: 'appearance', appearance } satisfies ToCardPage, origin)
  }, [frame, origin, appearance, loaded])

  return { height, silent: silent && height === 0, onLoad: () => setLoaded(true) }
}
