import { useEffect, useEffectEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './toolbar.module.css'
import { SearchIcon } from '../icons/SearchIcon'
import { CloseIcon } from '../icons/CloseIcon'

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
      <SearchIcon />
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
          <CloseIcon />
        </button>
      ) : null}
    </div>
  )
}
