import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from '@/components/AuthCard.module.css'
import { Button } from '@/components/Button'
import signupStyles from './signup.module.css'

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
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
        <circle cx="10" cy="10" r="9" fill="none" stroke="currentColor" strokeWidth="1.6" />
        <path d="M5.8 10.4l2.8 2.8 5.6-6" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
      </svg>
      <span>{children}</span>
    </p>
  )
}
