import { CopyButton } from './CopyButton'
import styles from './CodeBlock.module.css'

type Props = {
  text: string
  caption: string
  /** Names it among others, for screen readers; the caption where it is left out. */
  label?: string
  copyLabel: string
}

export function CodeBlock({ text, caption, label = caption, copyLabel }: Props) {
  return (
    <figure className={`t-card ${styles.code}`}>
      <figcaption className="t-ends">
        <span>{caption}</span>
        <CopyButton text={text} label={copyLabel} />
      </figcaption>
      {/* Reachable by keyboard: long lines scroll inside. */}
      <pre dir="ltr" tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
    </figure>
  )
}
