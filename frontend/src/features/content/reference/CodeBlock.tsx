import { CopyButton } from '../CopyButton'
import code from '../code.module.css'
import styles from './reference.module.css'

type Props = { text: string; label: string; copyLabel: string }

export function CodeBlock({ text, label, copyLabel }: Props) {
  return (
    <figure className={`${code.code} ${styles.code}`}>
      <figcaption className={styles.caption}>
        <span>{label}</span>
        <CopyButton text={text} label={copyLabel} />
      </figcaption>
      {/* Reachable by keyboard: long lines scroll inside. */}
      <pre dir="ltr" tabIndex={0} role="region" aria-label={copyLabel}>
        {text}
      </pre>
    </figure>
  )
}
