import styles from './page.module.css'

/** Why the last call failed, if it did. */
export function Failure({ text }: { text: string | undefined }) {
  if (!text) return null
  return (
    <p role="alert" className={styles.error}>
      {text}
    </p>
  )
}
