import { useTranslation } from 'react-i18next'
import { LinkButton } from './Button'
import { EmptyState } from './EmptyState'

export default function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <EmptyState
      heading="h1"
      art="lost"
      title={t('screens.notFound')}
      text={t('notFound.text')}
      actions={
        <LinkButton size="large" to="/">
          {t('notFound.home')}
        </LinkButton>
      }
    />
  )
}
