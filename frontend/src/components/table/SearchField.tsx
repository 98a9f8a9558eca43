import { useEffect, useEffectEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './toolbar.module.css'

const TYPING_PAUSE_MS = 500

type Props = { label: string; value: string; onSearch: (text: string) => void }

/** Searches after a pause in typing, or at once on Enter. */
export function SearchField({ label, value, onSearch }: Props) {
  const { t } = useTranslation('table')
  const id = useId()
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  // Back, a link or a cleared filter changed the search elsewhere.
  if (value !== known) {
    setKnown(value)
    if (value !== text.trim()) setText(value)
  }
  const search = useEffectEvent(onSearch)
  const wanted = text.trim()
  useEffect(() => {
    if (wanted === value) return
    const timer = window.setTimeout(() => search(wanted), TYPING_PAUSE_MS)
    return () => window.clearTimeout(timer)
  }, [wanted, value])

  return (
    <div className={styles.search} role="search">
      <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
        <path
          d="M13.2 13.2 17 17M14.5 9a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0Z"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.7"
          strokeLinecap="round"
        />
      </svg>
      <input
        id={id}
        type="search"
        className={styles.input}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && wanted !== value) onSearch(wanted)
        }}
      />
      {text ? (
        <button type="button" className={styles.clear} aria-label={t('search.clear')} onClick={() => setText('')}>
          <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <path d="M2 2l10 10M12 2L2 12" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
          </svg>
        </button>
      ) : null}
    </div>
  )
}
