import { useId, type ReactNode, type Ref } from 'react'
import styles from './landing.module.css'

type Props = {
  title: string
  lead?: string
  id?: string
  headingRef?: Ref<HTMLHeadingElement>
  children: ReactNode
}

export function Section({ title, lead, id, headingRef, children }: Props) {
  const heading = useId()
  return (
    <section className={styles.section} id={id} aria-labelledby={heading}>
      <h2 className={styles.heading} id={heading} ref={headingRef} tabIndex={headingRef ? -1 : undefined}>
        {title}
      </h2>
      {lead && <p className={styles.lead}>{lead}</p>}
      {children}
    </section>
  )
}
