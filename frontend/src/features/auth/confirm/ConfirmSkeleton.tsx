import { useTranslation } from 'react-i18next'
import styles from '../auth.module.css'
import { Skeletons } from '../Skeletons'

export function ConfirmSkeleton() {
  const { t } = useTranslation('auth')
  return (
    <div className={styles.narrow}>
      <Skeletons label={t('confirm.pending')} heights={[120, 28, 48]} />
    </div>
  )
}
