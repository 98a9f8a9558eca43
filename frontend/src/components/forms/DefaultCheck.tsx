import styles from './DefaultCheck.module.css'

type Props = {
  label: string
  /** Names the item too, where its neighbours have the same label. */
  fullLabel?: string
  checked: boolean
  disabled: boolean
  /** Why the default cannot be unticked. */
  title: string | undefined
  onChoose: () => void
}

/** Makes an item of a list the default. There is always one: it is changed by choosing another. */
export function DefaultCheck({ label, fullLabel, checked, disabled, title, onChoose }: Props) {
  return (
    <label className={styles.check} title={title}>
      <input type="checkbox" checked={checked} disabled={disabled} aria-label={fullLabel} onChange={onChoose} />
      <span aria-hidden={fullLabel ? true : undefined}>{label}</span>
    </label>
  )
}
