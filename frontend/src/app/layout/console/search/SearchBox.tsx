import { useId, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { User } from '@/api/session'
import { SearchIcon } from '@/components/icons/SearchIcon'
import { Spinner } from '@/components/Spinner'
import type { SearchProvider } from './search-providers'
import styles from './SearchDialog.module.css'
import { SuggestionList } from './SuggestionList'
import { matchSuggestions, mergeSuggestions, type Suggestion } from './suggestions'
import { useSearchResults } from './use-search-results'

type SearchBoxProps = {
  user: User
  commands: Suggestion[]
  providers: readonly SearchProvider[]
  onClose: () => void
}

/** A combobox: the focus stays in the field, the arrows move through the list. */
export function SearchBox({ user, commands, providers, onClose }: SearchBoxProps) {
  const { t } = useTranslation('overlays')
  const navigate = useNavigate()
  const listId = useId()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const { found, searching, failed } = useSearchResults(user, query, providers)
  const suggestions = mergeSuggestions(matchSuggestions(commands, query), found)
  const chosen = Math.min(active, suggestions.length - 1)

  function open(suggestion: Suggestion) {
    onClose()
    suggestion.open(navigate)
  }

  function onKeyDown(event: KeyboardEvent) {
    const count = suggestions.length
    if (count === 0 || event.nativeEvent.isComposing) return
    const moves: Record<string, number> = { ArrowDown: chosen + 1, ArrowUp: chosen - 1 + count }
    const next = moves[event.key]
    const suggestion = suggestions[chosen]
    if (next !== undefined) setActive(next % count)
    else if (event.key === 'Enter' && suggestion) open(suggestion)
    else return
    event.preventDefault()
  }

  return (
    <>
      <div className={styles.field}>
        {searching ? <Spinner size={20} label={t('search.searching')} /> : <SearchIcon />}
        <input
          className={styles.input}
          type="text"
          role="combobox"
          // The dialog exists to be typed into.
          autoFocus
          autoComplete="off"
          spellCheck={false}
          aria-label={t('console:search.open')}
          aria-autocomplete="list"
          aria-expanded={suggestions.length > 0}
          aria-controls={listId}
          aria-activedescendant={chosen >= 0 ? `${listId}-${chosen}` : undefined}
          placeholder={t('console:search.placeholder')}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <SuggestionList id={listId} suggestions={suggestions} chosen={chosen} onOpen={open} onPoint={setActive} />
      <div role="status">
        {failed && <p className={`t-soft ${styles.note}`}>{t('search.failed')}</p>}
        {!failed && !searching && suggestions.length === 0 && (
          <p className={`t-soft ${styles.note}`}>{t('search.nothing')}</p>
        )}
      </div>
      <SearchHints />
    </>
  )
}

function SearchHints() {
  const { t } = useTranslation('overlays')
  return (
    <p className={`t-soft ${styles.hints}`} aria-hidden>
      <span>
        <kbd>↑</kbd>
        <kbd>↓</kbd>
        {t('search.hintMove')}
      </span>
      <span>
        <kbd dir="ltr">Enter</kbd>
        {t('search.hintOpen')}
      </span>
      <span>
        <kbd dir="ltr">Esc</kbd>
        {t('search.hintClose')}
      </span>
    </p>
  )
}
