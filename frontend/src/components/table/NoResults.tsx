import { useTranslation } from 'react-i18next'
import buttons from '../button.module.css'
import { EmptyState } from '../EmptyState'

export function NoResults({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation('table')
  return (
    <EmptyState
      art="lost"
      title={t('noResults.title')}
      text={t('noResults.text')}
      actions={
        <button type="button" className={`${buttons.button} ${buttons.outlined}`} onClick={onClear}>
          {t('noResults.clear')}
        </button>
      }
    />
  )
}
