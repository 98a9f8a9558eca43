import type { ReactNode } from 'react'
import styles from './AuthCard.module.css'
import { TesseraMark } from './TesseraMark'

type Props = { title: string; text?: ReactNode; children: ReactNode; footer?: ReactNode }

/** The card of a public account page. */
export function AuthCard({ title, text, children, footer }: Props) {
  return (
    <div className={styles.page}>
      <section className={styles.card}>
        <TesseraMark size={40} />
        <h1 className={styles.title} tabIndex={-1}>
          {title}
        </h1>
        {text ? <p className={styles.text}>{text}</p> : null}
        {children}
      </section>
      {footer ? <p className={styles.footer}>{footer}</p> : null}
    </div>
  )
}
