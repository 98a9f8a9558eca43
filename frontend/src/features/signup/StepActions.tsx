import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import styles from './signup.module.css'

type Props = { onBack?: () => void; pending?: boolean; disabledReason: string | null; label?: string }

/** Back, and the button that sends the form. */
export function StepActions({ onBack, pending = false, disabledReason, label }: Props) {
  const { t } = useTranslation()
  return (
    <div className={styles.actions}>
      {onBack ? (
        <Button variant="outlined" size="large" disabled={pending} onClick={onBack}>
          {t('actions.back')}
        </Button>
      ) : (
        <span />
      )}
      <Button type="submit" size="xlarge" pending={pending} disabledReason={disabledReason}>
        {label ?? t('actions.next')}
      </Button>
    </div>
  )
}
