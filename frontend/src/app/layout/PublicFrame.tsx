import type { ReactNode } from 'react'
import type { AppRoute } from '../routes'
import { PublicFooter } from './PublicFooter'
import styles from './PublicFrame.module.css'
import { PublicHeader } from './PublicHeader'
import { SessionNotice } from './SessionNotice'

type Props = { route: AppRoute; children: ReactNode }

export function PublicFrame({ route, children }: Props) {
  return (
    <div className={styles.frame}>
      <PublicHeader path={route.path} />
      <main id="content" tabIndex={-1} className={styles.main}>
        {route.access === 'guest' ? <SessionNotice /> : null}
        {children}
      </main>
      <PublicFooter />
    </div>
  )
}
