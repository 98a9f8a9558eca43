import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { NextIcon } from '@/components/icons/NextIcon'
import type { SpaceInfo } from '../client-state'
import styles from './Breadcrumbs.module.css'
import { folderUrl } from './folder-url'
import { Name } from '../Name'

type Props = {
  space: SpaceInfo
  path: string
  urlOf?: (path: string) => string
  /** At the other end of the line. */
  children?: ReactNode
}

export function Breadcrumbs({ space, path, urlOf = (folder) => folderUrl(space.id, folder), children }: Props) {
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
                <Link to={urlOf(crumb.path)}>
                  <Name>{crumb.name}</Name>
                </Link>
              )}
            </li>
          ))}
        </ol>
      </nav>
      {children}
    </div>
  )
}
