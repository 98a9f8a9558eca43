import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import styles from './review.module.css'

/** What somebody typed keeps its own direction, a number or an address reads from left to right, and what we say
 *  ourselves follows the page. */
export type Entry = { label: string; value: string; kind: 'typed' | 'code' | 'said' }

type Props = { title: string; entries: Entry[]; onEdit: (() => void) | undefined }

export function Entries({ title, entries, onEdit }: Props) {
  const { t } = useTranslation('signup')
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header className={styles.header}>
        <h2 id={id}>{title}</h2>
        <Button
          variant="text"
          size="large"
          aria-label={t('review.editOf', { what: title })}
          disabled={!onEdit}
          onClick={onEdit}
        >
          {t('review.edit')}
        </Button>
      </header>
      <dl className={styles.list}>
        {entries.map(({ label, value, kind }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{kind === 'said' ? value : <bdi dir={kind === 'code' ? 'ltr' : 'auto'}>{value}</bdi>}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
