import { useTranslation } from 'react-i18next'
import styles from './SearchDialog.module.css'
import type { Suggestion } from './suggestions'

type SuggestionListProps = {
  id: string
  suggestions: Suggestion[]
  chosen: number
  onOpen: (suggestion: Suggestion) => void
  onPoint: (index: number) => void
}

export function SuggestionList({ id, suggestions, chosen, onOpen, onPoint }: SuggestionListProps) {
  const { t } = useTranslation('overlays')
  return (
    <ul
      className={styles.list}
      id={id}
      role="listbox"
      aria-label={t('search.suggestions')}
      hidden={suggestions.length === 0}
    >
      {suggestions.map((suggestion, index) => (
        // The keyboard works on the field, which names the chosen option.
        <li
          key={suggestion.id}
          id={`${id}-${index}`}
          className={styles.option}
          role="option"
          aria-selected={index === chosen}
          ref={index === chosen ? keepInView : undefined}
          onClick={() => onOpen(suggestion)}
          onPointerMove={() => onPoint(index)}
        >
          <suggestion.Icon />
          <span className={styles.text}>
            <bdi className="t-ellipsis">{suggestion.label}</bdi>
            {suggestion.detail && <bdi className="t-soft t-ellipsis">{suggestion.detail}</bdi>}
          </span>
          <span className="t-soft">{t(`search.kinds.${suggestion.kind}`)}</span>
        </li>
      ))}
    </ul>
  )
}

function keepInView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
