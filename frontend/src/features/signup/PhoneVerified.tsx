import { useTranslation } from 'react-i18next'
import buttons from '@/components/button.module.css'
import styles from '@/components/forms/form.module.css'

type Props = { number: string; onDone: () => void }

export function PhoneVerified({ number, onDone }: Props) {
  const { t } = useTranslation('signup')
  return (
    <div className={styles.form}>
      <p className={styles.line} role="status">
        {t('phone.verifiedText')} <bdi dir="ltr">{number}</bdi>
      </p>
      <button type="button" autoFocus className={`${buttons.button} ${buttons.primary}`} onClick={onDone}>
        {t('phone.close')}
      </button>
    </div>
  )
}
