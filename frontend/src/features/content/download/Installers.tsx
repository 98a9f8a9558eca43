import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import type { Platform, Release } from '../api'
import styles from './download.module.css'
import { InstallerCard, ownFirst } from './InstallerCard'

const byHint: Record<string, Platform> = { macOS: 'macos', Windows: 'windows' }

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

type Hints = Pick<Navigator, 'userAgent' | 'maxTouchPoints'> & { userAgentData?: { platform?: string } }

/** The platform of this computer; null for phones, tablets and systems without an installer. */
export function detectPlatform(navigator: Hints): Platform | null {
  const hint = navigator.userAgentData?.platform
  if (hint) return byHint[hint] ?? null
  const { userAgent } = navigator
  if (/Windows NT/.test(userAgent)) return 'windows'
  // An iPad calls itself a Mac, but no Mac has a touch screen.
  return /Macintosh|Mac OS X/.test(userAgent) && !/iPhone|iPad/.test(userAgent) && navigator.maxTouchPoints < 2
    ? 'macos'
    : null
}
