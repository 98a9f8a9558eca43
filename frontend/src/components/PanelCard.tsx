import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { loadErrorMessage } from '@/api/errors'
import styles from './PanelCard.module.css'

type Props = {
  query: { data: unknown; error: Error | null; refetch: () => Promise<unknown> }
  loading: string
  /** How high what is being fetched will be, so that nothing jumps. */
  height: number
  page: string
  open: string
  onClose: () => void
  children: ReactNode
}

/** In the quick panel: what a query has found, or that it is on its way, or why not; and the way to its page. */
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
