import styles from './ProgressBar.module.css'

type Props = {
  label: string
  /** From 0 to 100; undefined while unknown. */
  value?: number | undefined
}

export function ProgressBar({ label, value }: Props) {
  const known = value === undefined ? {} : { 'aria-valuenow': value, 'aria-valuemin': 0, 'aria-valuemax': 100 }
  return (
    <div className={styles.track} role="progressbar" aria-label={label} {...known}>
      <div
        className={value === undefined ? styles.moving : styles.bar}
        style={value === undefined ? {} : { inlineSize: `${value}%` }}
      />
    </div>
  )
}
