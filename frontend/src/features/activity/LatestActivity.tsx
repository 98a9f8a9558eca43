import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { loadErrorMessage } from '@/api/errors'
import type { User } from '@/api/session'
import { formatRelative } from '@/i18n/format'
import { activityList } from './api'
import styles from './latest.module.css'
import { Actor } from './page/Actor'

type Props = { user: User; onClose: () => void }

const SHOWN = 5

/** A section of the quick panel. */
export default function LatestActivity({ user, onClose }: Props) {
  const { t } = useTranslation(['activity', 'errors'])
  const scope = user.permissions.includes('activity:readAll') ? 'all' : 'own'
  const list = useQuery(activityList(scope, { skip: 0, limit: SHOWN }))
  if (list.isPending) return <div className={styles.wait} role="progressbar" aria-label={t('loading')} />
  if (list.isError) {
    return (
      <p className={styles.note} role="alert">
        {loadErrorMessage(list.error)}{' '}
        <button type="button" className={styles.retry} onClick={() => void list.refetch()}>
          {t('common:actions.retry')}
        </button>
      </p>
    )
  }
  return (
    <>
      {list.data.item1.length === 0 ? <p className={styles.note}>{t('empty.title')}</p> : null}
      <ul className={styles.list}>
        {list.data.item1.map((activity) => (
          <li key={activity.id}>
            <span>{activity.text}</span>
            <span className={styles.soft}>
              <Actor activity={activity} /> · {formatRelative(activity.at)}
            </span>
          </li>
        ))}
      </ul>
      <Link to={scope === 'all' ? '/admin/activity' : '/activity'} onClick={onClose}>
        {t('all')}
      </Link>
    </>
  )
}
