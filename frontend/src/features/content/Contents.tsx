import { useId, type ReactNode } from 'react'
import styles from './page.module.css'

type Props = { title: string; entries: readonly { id: string; label: ReactNode }[]; ordered?: boolean }

/** The sections of a page, as links. It stays in place while the page scrolls. */
export function Contents({ title, entries, ordered = false }: Props) {
  const heading = useId()
  const List = ordered ? 'ol' : 'ul'
  return (
    <nav className={styles.contents} aria-labelledby={heading}>
      <h2 id={heading} className="t-soft">
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
