import { useTranslation } from 'react-i18next'
import { SectionCard } from '@/components/SectionCard'
import type { Platform, ReleaseFile } from '../api'
import { platformNames } from './commands'
import styles from './download.module.css'
import { FileDownload } from './FileDownload'

type Props = { platform: Platform; files: ReleaseFile[]; version: string; own: boolean; email: string }

export function PlatformCard({ platform, files, version, own, email }: Props) {
  const { t } = useTranslation('download')
  const name = platformNames[platform]
  const available = files.filter((file) => file.available)
  const installers = available.filter((file) => file.isInstaller)
  const programs = available.filter((file) => !file.isInstaller)
  const download = (file: ReleaseFile) => (
    <FileDownload
      key={file.fileName}
      platform={platform}
      file={file}
      email={email}
      primary={own && file === available[0]}
    />
  )
  return (
    <SectionCard
      title={<bdi>{name}</bdi>}
      aside={
        <span className="t-line">
          {own && <span className="t-tag">{t('yours')}</span>}
          <span className="t-soft">{t('version', { version })}</span>
        </span>
      }
    >
      {installers.map(download)}
      {installers.length > 0 && programs.length > 0 ? (
        <details className={styles.programs}>
          <summary>{t('programs')}</summary>
          {programs.map(download)}
        </details>
      ) : (
        programs.map(download)
      )}
      {available.length === 0 && (
        <p className="t-note" role="note">
          {t('missing', { name, version })}
        </p>
      )}
    </SectionCard>
  )
}
