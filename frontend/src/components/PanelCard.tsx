import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { loadErrorMessage } from '@/api/errors'
import styles from './PanelCard.module.css'

type Props = {
  query: { data: unknown; error: Error | null; refetch: () => Promise<unknown> }
  loading: string
  /** Height of the placeholder while loading, to avoid layout shift. */
  height: number
  page: string
  open: string
  onClose: () => void
  children: ReactNode
}

/** A card of the quick panel: a query's result, its loading or error state, and a link to the page. */
export function PanelCard({ query, loading, height, page, open, onClose, children }: Props) {
  const { t } = useTranslation()
  return (
    <div className={styles.card}>
      {query.data !== undefined ? children : null}
      {query.data === undefined && query.error ? (
        <p role="alert" className={styles.text}>
          {loadErrorMessage(query.error)}{' '}
          <button type="button" className={styles.retry} onClick={() => void query.refetch()}>
            {t('actions.retry')}
          </button>
        </p>
      ) : null}
      {query.data === undefined && !query.error ? (
        <div role="status" aria-label={loading} className={styles.wait} style={{ blockSize: height }} />
      ) : null}
      <Link to={page} onClick={onClose}>
        {open}
      </Link>
    </div>
  )
}
