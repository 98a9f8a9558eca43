import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import styles from '@/components/forms/form.module.css'

type Props = { number: string; onDone: () => void }

export function PhoneVerified({ number, onDone }: Props) {
  const { t } = useTranslation('signup')
  return (
    <div className={styles.form}>
      <p className={styles.line} role="status">
        {t('phone.verifiedText')} <bdi dir="ltr">{number}</bdi>
      </p>
      <Button size="large" autoFocus onClick={onDone}>
        {t('phone.close')}
      </Button>
    </div>
  )
}
