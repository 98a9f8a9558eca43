import { useTranslation } from 'react-i18next'
import buttons from '@/components/button.module.css'
import { FormButton } from '@/components/FormButton'
import styles from './signup.module.css'

type Props = { onBack?: () => void; pending?: boolean; disabledReason: string | null; label?: string }

/** Back, and the button that sends the form. */
export function StepActions({ onBack, pending = false, disabledReason, label }: Props) {
  const { t } = useTranslation()
  return (
    <div className={styles.actions}>
      {onBack ? (
        <button type="button" className={`${buttons.button} ${buttons.outlined}`} disabled={pending} onClick={onBack}>
          {t('actions.back')}
        </button>
      ) : (
        <span />
      )}
      <FormButton wide={false} pending={pending} disabledReason={disabledReason}>
        {label ?? t('actions.next')}
      </FormButton>
    </div>
  )
}
