import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { api, dataOf } from '@/api/client'
import { loadErrorMessage } from '@/api/errors'
import type { CardAppearance, CardIntent, CardPurpose } from '@/card/protocol'
import { ErrorState } from '@/components/ErrorState'
import { Skeleton } from '@/components/Skeleton'
import styles from './card-frame/card-frame.module.css'
import { useCardPage } from './card-frame/use-card-page'

const root = document.documentElement

type Props = {
  purpose: CardPurpose
  newIntent: () => Promise<CardIntent>
  /** Uses the card's token. Resolves to the error message, or null on success. */
  onToken: (token: string) => Promise<string | null>
}

/** The card form, in a frame of another origin. Nothing typed there can be read from here. */
export function CardFrame({ purpose, newIntent, onToken }: Props) {
  const { t } = useTranslation('subscription')
  const { data, error, refetch } = useQuery({
    queryKey: ['cardFrame'],
    queryFn: async ({ signal }) => {
      const [{ cardOrigin }, intent] = await Promise.all([dataOf(api.GET('/api/config', { signal })), newIntent()])
      return { origin: new URL(cardOrigin).origin, intent }
    },
    // Each opening of the form needs exactly one intent.
    gcTime: 0,
    staleTime: Infinity,
  })
  if (data) {
    return (
      <Frame
        key={data.intent.id}
        {...data}
        purpose={purpose}
        newIntent={newIntent}
        onToken={onToken}
        onRetry={() => void refetch()}
      />
    )
  }
  if (error) {
    return (
      <ErrorState
        heading="h3"
        title={t('addCard.failed')}
        text={loadErrorMessage(error)}
        onRetry={() => void refetch()}
      />
    )
  }
  return <Waiting />
}

function Waiting() {
  const { t } = useTranslation('subscription')
  return <Skeleton label={t('addCard.loading')} heights={[46, 46, 46]} />
}

type FrameProps = Props & { origin: string; intent: CardIntent; onRetry: () => void }

function Frame({ origin, intent, purpose, newIntent, onToken, onRetry }: FrameProps) {
  const { t } = useTranslation('subscription')
  const frame = useRef<HTMLIFrameElement>(null)
  const { height, silent, onLoad } = useCardPage(frame, {
    origin,
    intent,
    purpose,
    appearance: useCardAppearance(),
    onToken: async (token) => {
      const text = await onToken(token)
      if (text === null) return null
      // The intent is used up. Without a new one there is nothing to retry with, so start over.
      const next = await newIntent().catch(() => null)
      if (next) return { text, intent: next }
      onRetry()
      return null
    },
  })
  if (silent)
    return <ErrorState heading="h3" title={t('addCard.failed')} text={t('addCard.silent')} onRetry={onRetry} />
  return (
    <>
      {height === 0 ? <Waiting /> : null}
      <iframe
        ref={frame}
        className={styles.frame}
        // Reported by the page itself, which knows the length of its texts.
        style={{ blockSize: height }}
        data-waiting={height === 0}
        src={`${origin}/`}
        title={t('addCard.frame')}
        sandbox="allow-scripts allow-forms allow-same-origin allow-popups"
        referrerPolicy="no-referrer"
        onLoad={onLoad}
      />
    </>
  )
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(root, { attributes: true, attributeFilter: ['lang', 'data-theme'] })
  return () => observer.disconnect()
}

/** Language and theme of the page around, as they are now. */
function useCardAppearance(): CardAppearance {
  const language = useSyncExternalStore(subscribe, () => root.lang)
  const theme = useSyncExternalStore(subscribe, () => (root.dataset.theme === 'dark' ? 'dark' : 'light'))
  return useMemo(() => ({ language, theme }), [language, theme])
}
