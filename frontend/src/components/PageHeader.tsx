import type { ReactNode } from 'react'
import styles from './PageHeader.module.css'

type Props = { title: string; sub?: ReactNode; actions?: ReactNode; icon?: ReactNode }

export function PageHeader({ title, sub, actions, icon }: Props) {
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <h1 className={styles.title} tabIndex={-1}>
          {icon}
          {title}
        </h1>
        {sub ? <div className={styles.sub}>{sub}</div> : null}
      </div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </header>
  )
}
