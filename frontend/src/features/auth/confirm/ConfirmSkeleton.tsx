import { useTranslation } from 'react-i18next'
import styles from '@/components/forms/form.module.css'
import { Skeleton } from '@/components/Skeleton'

export function ConfirmSkeleton() {
  const { t } = useTranslation('auth')
  return (
    <div className={styles.narrow}>
      <Skeleton label={t('confirm.pending')} heights={[120, 28, 48]} />
    </div>
  )
}
