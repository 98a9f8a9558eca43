import styles from './field.module.css'
import { HiddenIcon } from '../icons/HiddenIcon'
import { VisibleIcon } from '../icons/VisibleIcon'

type Props = { label: string; shown: boolean; onToggle: () => void }

/** The eye at the end of a secret field. */
export function RevealButton({ label, shown, onToggle }: Props) {
  return (
    <button
      type="button"
      className={styles.eye}
      aria-label={label}
      aria-pressed={shown}
      // The field keeps the focus and the position of the cursor.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onToggle}
    >
      {shown ? <HiddenIcon /> : <VisibleIcon />}
    </button>
  )
}
