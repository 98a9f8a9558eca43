import { useTranslation } from 'react-i18next'
import type { Platform, ReleaseFile } from '../api'
import { platformNames } from './commands'
import styles from './download.module.css'
import { FileDownload } from './FileDownload'

type Props = { platform: Platform; files: ReleaseFile[]; version: string; own: boolean; email: string }

export function PlatformCard({ platform, files, version, own, email }: Props) {
  const { t } = useTranslation('download')
  const name = platformNames[platform]
  const heading = `${platform}-heading`
  const available = files.filter((file) => file.available)
  return (
    <section className={styles.card} data-own={own} aria-labelledby={heading}>
      <header className={styles.cardHead}>
        <h2 id={heading} className={styles.platform}>
          <bdi>{name}</bdi>
        </h2>
        {own && <span className={styles.chip}>{t('yours')}</span>}
        <span className={styles.version}>{t('version', { version })}</span>
      </header>
      {available.map((file, index) => (
        <FileDownload key={file.fileName} platform={platform} file={file} email={email} primary={own && index === 0} />
      ))}
      {available.length === 0 && (
        <p className={styles.missing} role="note">
          {t('missing', { name, version })}
        </p>
      )}
    </section>
  )
}
