import type { ReactNode } from 'react'
import styles from '@/components/AuthCard.module.css'

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
