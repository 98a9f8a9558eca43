import { useTranslation } from 'react-i18next'
import { Button } from '../Button'
import { EmptyState } from '../EmptyState'

export function NoResults({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation('table')
  return (
    <EmptyState
      art="lost"
      title={t('noResults.title')}
      text={t('noResults.text')}
      actions={
        <Button variant="outlined" size="large" onClick={onClear}>
          {t('noResults.clear')}
        </Button>
      }
    />
  )
}
