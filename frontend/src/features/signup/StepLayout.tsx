import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from '@/components/AuthCard.module.css'
import { Button } from '@/components/Button'
import signupStyles from './signup.module.css'
import { EnableIcon } from '@/components/icons/EnableIcon'

type Props = {
  title: string
  text?: ReactNode
  /** Moves the focus here, so that a screen reader tells which step it is. Not on the first one of a visit. */
  arrived: boolean
}

function takeFocus(heading: HTMLElement | null) {
  heading?.focus({ preventScroll: true })
}

export function StepHeading({ title, text, arrived }: Props) {
  return (
    <>
      <h1 className={styles.title} tabIndex={-1} ref={arrived ? takeFocus : undefined}>
        {title}
      </h1>
      {text ? <p className={styles.text}>{text}</p> : null}
    </>
  )
}

type StepActionsProps = { onBack?: () => void; pending?: boolean; disabledReason: string | null; label?: string }

/** Back, and the button that sends the form. */
export function StepActions({ onBack, pending = false, disabledReason, label }: StepActionsProps) {
  const { t } = useTranslation()
  return (
    <div className={signupStyles.actions}>
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

/** A line with a tick in front. */
export function Done({ children }: { children: ReactNode }) {
  return (
    <p className={signupStyles.status} role="status">
      <EnableIcon />
      <span>{children}</span>
    </p>
  )
}
