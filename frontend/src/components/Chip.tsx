import styles from './Chip.module.css'
import { CloseIcon } from './icons/CloseIcon'

type Props = { text: string; dir?: 'ltr'; removeLabel: string; onRemove: () => void }

/** An item of a list of short texts, with a button that removes it. */
export function Chip({ text, dir, removeLabel, onRemove }: Props) {
  return (
    <li className={styles.chip}>
      <bdi dir={dir}>{text}</bdi>
      <button type="button" aria-label={removeLabel} onClick={onRemove}>
        <CloseIcon />
      </button>
    </li>
  )
}
