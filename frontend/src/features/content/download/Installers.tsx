import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { Skeleton } from '@/components/Skeleton'
import type { Platform, Release, ReleaseFile } from '../api'
import styles from './download.module.css'
import { PlatformCard } from './PlatformCard'

const platforms: Platform[] = ['macos', 'windows', 'linux']
const byHint: Record<string, Platform> = { macOS: 'macos', Windows: 'windows', Linux: 'linux' }

type Props = { release: Release | null; error: unknown; email: string; onRetry: () => void }

export function Installers({ release, error, email, onRetry }: Props) {
  const { t } = useTranslation(['download', 'errors'])
  if (error !== null) return <ErrorState title={t('error')} text={loadErrorMessage(error)} onRetry={onRetry} />
  if (!release) return <Skeleton label={t('loading')} heights={[232, 200]} />
  const { version, files, building } = release
  if (building) return <Building {...building} />
  if (!version) return <EmptyState title={t('empty.title')} text={t('empty.text')} />
  const own = detectPlatform(navigator)
  return (
    <div className="t-grid">
      {!own && <p className="t-note">{t('elsewhere')}</p>}
      {ownFirst(own).map((platform) => (
        <PlatformCard
          key={platform}
          platform={platform}
          files={filesFor(files, platform)}
          version={version}
          own={platform === own}
          email={email}
        />
      ))}
    </div>
  )
}

/** The sandbox builds the client when it first starts. */
function Building({ done, total }: { done: number; total: number }) {
  const { t } = useTranslation('download')
  const id = useId()
  return (
    <div className="t-card t-grid" role="status">
      <p id={id}>{t('building')}</p>
      <progress className={styles.progress} aria-labelledby={id} max={total} value={done} />
    </div>
  )
}

function ownFirst(own: Platform | null): Platform[] {
  return [...platforms].sort((a, b) => Number(b === own) - Number(a === own))
}

/** Installers come first, then what needs no Python. */
function filesFor(files: ReleaseFile[], platform: Platform): ReleaseFile[] {
  const rank = (file: ReleaseFile) => Number(!file.isInstaller) + Number(file.needsPython)
  return files.filter((file) => file.platforms.includes(platform)).sort((a, b) => rank(a) - rank(b))
}

type Hints = Pick<Navigator, 'userAgent' | 'maxTouchPoints'> & { userAgentData?: { platform?: string } }

/** The platform of this computer; null for phones, tablets and systems without a client. */
export function detectPlatform(navigator: Hints): Platform | null {
  const hint = navigator.userAgentData?.platform
  if (hint) return byHint[hint] ?? null
  const { userAgent } = navigator
  if (/Windows NT/.test(userAgent)) return 'windows'
  if (/Linux/.test(userAgent) && !/Android/.test(userAgent)) return 'linux'
  // An iPad calls itself a Mac, but no Mac has a touch screen.
  return /Macintosh|Mac OS X/.test(userAgent) && !/iPhone|iPad/.test(userAgent) && navigator.maxTouchPoints < 2
    ? 'macos'
    : null
}
