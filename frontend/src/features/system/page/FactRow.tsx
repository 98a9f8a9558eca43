import type { ReactNode } from 'react'
import styles from './system.module.css'

type Props = { title: ReactNode; note?: ReactNode; facts: { name: string; value: ReactNode }[] }

/** A row of a card: what it is about, and its figures under their names. */
export function FactRow({ title, note, facts }: Props) {
  return (
    <li className={styles.row}>
      <h3 className={styles.rowTitle}>{title}</h3>
      <dl className={styles.facts}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {note ? <p className={styles.rowNote}>{note}</p> : null}
    </li>
  )
}
