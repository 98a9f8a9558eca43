import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import buttons from './button.module.css'
import { EmptyState } from './EmptyState'

export default function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <EmptyState
      heading="h1"
      art="lost"
      title={t('notFound.title')}
      text={t('notFound.text')}
      actions={
        <Link to="/" className={`${buttons.button} ${buttons.primary}`}>
          {t('notFound.home')}
        </Link>
      }
    />
  )
}
