import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { LockIcon } from '@/components/icons/LockIcon'
import { PageHeader } from '@/components/PageHeader'

/** In place of every page, if the company's policies refuse the second factor of this login. */
export default function SecondFactorNotice({ onLogout }: { onLogout: () => void }) {
  const { t } = useTranslation('auth')
  return (
    <>
      <PageHeader title={t('factorRefused.title')} sub={t('factorRefused.text')} icon={<LockIcon />} />
      <Button onClick={onLogout}>{t('factorRefused.logout')}</Button>
    </>
  )
}
