import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import type { Release } from '../api'
import { detectPlatform } from './detect-platform'
import styles from './download.module.css'
import { InstallerCard } from './InstallerCard'
import { ownFirst } from './platforms'

type Props = { release: Release | null; error: unknown; onRetry: () => void }

export function Installers({ release, error, onRetry }: Props) {
  const { t } = useTranslation(['download', 'errors'])
  if (error !== null) return <ErrorState title={t('error')} text={loadErrorMessage(error)} onRetry={onRetry} />
  if (!release) {
    return (
      <div className={styles.cards} role="status" aria-label={t('loading')}>
        <span className={styles.bone} />
        <span className={styles.bone} />
      </div>
    )
  }
  const { version, sample, installers } = release
  if (!version) return <EmptyState title={t('empty.title')} text={t('empty.text')} />
  const own = detectPlatform(navigator)
  return (
    <>
      {sample && (
        <p className={styles.sample} role="note">
          {t('sample')}
        </p>
      )}
      {!own && <p className={styles.elsewhere}>{t('elsewhere')}</p>}
      <div className={styles.cards}>
        {ownFirst(installers, own).map((installer) => (
          <InstallerCard
            key={installer.platform}
            installer={installer}
            version={version}
            own={installer.platform === own}
          />
        ))}
      </div>
    </>
  )
}
