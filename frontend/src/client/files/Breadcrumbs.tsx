import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { NextIcon } from '@/components/icons/NextIcon'
import { formatBytes } from '@/i18n/format'
import type { SpaceInfo } from '../client-state'
import styles from './Breadcrumbs.module.css'
import { folderUrl } from './folder-url'
import { Name } from '../Name'

export function Breadcrumbs({ space, path }: { space: SpaceInfo; path: string }) {
  const { t } = useTranslation('client')
  const parts = path ? path.split('/') : []
  const crumbs = [space.name, ...parts].map((name, index) => ({ name, path: parts.slice(0, index).join('/') }))
  return (
    <div className={`t-ends ${styles.row}`}>
      <nav aria-label={t('files.path')}>
        <ol className="t-line">
          {crumbs.map((crumb, index) => (
            <li key={crumb.path} className={`t-line ${styles.crumb}`}>
              {index > 0 ? <NextIcon /> : null}
              {index === crumbs.length - 1 ? (
                <span aria-current="page">
                  <Name>{crumb.name}</Name>
                </span>
              ) : (
                <Link to={folderUrl(space.id, crumb.path)}>
                  <Name>{crumb.name}</Name>
                </Link>
              )}
            </li>
          ))}
        </ol>
      </nav>
      <span className="t-soft">{t('files.sum', { count: space.files, size: formatBytes(space.bytes) })}</span>
    </div>
  )
}
