import { useId, type ReactNode } from 'react'
import styles from './contents.module.css'

type Props = {
  title: string
  entries: readonly { id: string; label: ReactNode }[]
  /** Of the page's own sheet. */
  className: string | undefined
  ordered?: boolean
}

/** The sections of a page, as links. It stays in place while the page scrolls. */
export function Contents({ title, entries, className = '', ordered = false }: Props) {
  const heading = useId()
  const List = ordered ? 'ol' : 'ul'
  return (
    <nav className={`${styles.contents} ${className}`} aria-labelledby={heading}>
      <h2 id={heading} className={styles.title}>
        {title}
      </h2>
      <List>
        {entries.map(({ id, label }) => (
          <li key={id}>
            <a href={`#${id}`}>{label}</a>
          </li>
        ))}
      </List>
    </nav>
  )
}
