import styles from './Spinner.module.css'

type Props = { label?: string; size?: number; decorative?: boolean }

/** `decorative`: the text beside it says the same, so screen readers skip it. */
export function Spinner({ label, size = 16, decorative = false }: Props) {
  return (
    <span
      className={styles.spinner}
      style={{ inlineSize: size, blockSize: size }}
      {...(decorative ? { 'aria-hidden': true } : { role: 'progressbar', 'aria-label': label })}
    />
  )
}
