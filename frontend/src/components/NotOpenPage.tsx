import { useTranslation } from 'react-i18next'
import { EmptyState } from './EmptyState'

type Props = { screen: string }

/** Stands where a screen is still to come: says so, and shows no invented data. */
export function NotOpenPage({ screen }: Props) {
  const { t } = useTranslation()
  return <EmptyState heading="h1" art="locked" title={t(`screens.${screen}`)} text={t('notOpen.text')} />
}
