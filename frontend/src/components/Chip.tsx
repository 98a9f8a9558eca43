import styles from './Chip.module.css'

type Props = { text: string; dir?: 'ltr'; removeLabel: string; onRemove: () => void }

/** An item of a list of short texts, with a button that removes it. */
export function Chip({ text, dir, removeLabel, onRemove }: Props) {
  return (
    <li className={styles.chip}>
      <bdi dir={dir}>{text}</bdi>
      <button type="button" aria-label={removeLabel} onClick={onRemove}>
        <svg width="10" height="10" viewBox="0 0 14 14" aria-hidden="true">
          <path d="M2 2l10 10M12 2L2 12" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
        </svg>
      </button>
    </li>
  )
}
