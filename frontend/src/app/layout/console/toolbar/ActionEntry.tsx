import type { ScreenIcon } from '../screens'
import styles from './ToolbarMenu.module.css'

type ActionEntryProps = { Icon: ScreenIcon; label: string; onClick: () => void }

export function ActionEntry({ Icon, label, onClick }: ActionEntryProps) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} className={styles.entry} onClick={onClick}>
      <Icon />
      <span className={styles.words}>{label}</span>
    </button>
  )
}
