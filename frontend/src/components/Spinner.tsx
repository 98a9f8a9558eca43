import styles from './Spinner.module.css'

type Props = { label?: string; size?: number }

export function Spinner({ label, size = 16 }: Props) {
  return (
    <span
      className={styles.spinner}
      style={{ inlineSize: size, blockSize: size }}
      role="progressbar"
      {...(label ? { 'aria-label': label } : {})}
    />
  )
}
