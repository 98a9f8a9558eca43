import { useId, type ReactNode } from 'react'
import styles from './SectionCard.module.css'

type Props = {
  title: ReactNode
  /** A small grey remark after the title. */
  remark?: ReactNode
  /** At the end of the heading's line. */
  aside?: ReactNode
  /** `muted`: a grey heading, for a card whose figure counts. `flush`: content without padding, such as a table. */
  kind?: 'muted' | 'flush'
  children: ReactNode
}

/** A card of a page, a region named by its heading. */
export function SectionCard({ title, remark, aside, kind, children }: Props) {
  const id = useId()
  return (
    <section className={styles.card} data-kind={kind} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.title}>
          <h2 id={id}>{title}</h2>
          {remark ? <small>{remark}</small> : null}
        </div>
        {aside}
      </div>
      {children}
    </section>
  )
}
