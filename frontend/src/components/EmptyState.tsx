import type { ReactNode } from 'react'
import styles from './state.module.css'
import { TileArt, type TileArtName } from './TileArt'

type Props = {
  title: string
  text?: ReactNode
  /** The next step: a button or a link. */
  actions?: ReactNode
  art?: TileArtName
  /** `h1` where the state is the whole page. */
  heading?: 'h1' | 'h2' | 'h3'
}

export function EmptyState({ title, text, actions, art = 'empty', heading: Heading = 'h2' }: Props) {
  return (
    <div className={styles.state}>
      <TileArt name={art} />
      <Heading className={styles.title}>{title}</Heading>
      {text ? <p className={styles.text}>{text}</p> : null}
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  )
}
