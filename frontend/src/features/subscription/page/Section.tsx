import { useId, type ReactNode } from 'react'
import styles from './page.module.css'

type Props = { title: string; children: ReactNode; aside?: ReactNode }

/** A card of the page, a region named by its heading. */
export function Section({ title, children, aside }: Props) {
  const id = useId()
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
