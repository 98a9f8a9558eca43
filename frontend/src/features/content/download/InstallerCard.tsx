import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { DownloadIcon } from '@/components/icons'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { formatBytes } from '@/i18n/format'
import { newDownloadLink, type Installer, type Platform } from '../api'
import { CopyButton } from '../CopyButton'
import styles from './download.module.css'

export const platformNames: Record<Platform, string> = { macos: 'macOS', windows: 'Windows' }

/** Prints the SHA-256 of the file where browsers put it. */
export const hashCommands: Record<Platform, (file: string) => string> = {
  macos: (file) => `shasum -a 256 ~/Downloads/${file}`,
  windows: (file) => `Get-FileHash "$HOME\\Downloads\\${file}" -Algorithm SHA256`,
}

type Props = { installer: Installer; version: string; own: boolean }

export function InstallerCard({ installer, version, own }: Props) {
  const { t } = useTranslation('download')
  const { platform, available, fileName, size, sha256 } = installer
  const name = platformNames[platform]
  const [started, setStarted] = useState(false)
  const download = useSecretMutation(async () => {
    setStarted(false)
    startDownload(await newDownloadLink(platform))
    setStarted(true)
  })
  const heading = `${platform}-heading`
  return (
    <section className={styles.card} data-own={own} aria-labelledby={heading}>
      <header className={styles.cardHead}>
        <h2 id={heading} className={styles.platform}>
          <bdi>{name}</bdi>
        </h2>
        {own && <span className={styles.chip}>{t('yours')}</span>}
        <span className={styles.version}>{t('version', { version })}</span>
      </header>
      {available && fileName && sha256 ? (
        <>
          <Button
            variant={own ? 'primary' : 'outlined'}
            size="large"
            className={styles.get}
            aria-busy={download.isPending}
            onClick={() => void download.mutate()}
          >
            <DownloadIcon />
            {t(download.isPending ? 'preparing' : 'download', { name })}
          </Button>
          <p role="status" className={styles.outcome}>
            {started ? t('started') : ''}
          </p>
          {download.error !== null && (
            <p role="alert" className={styles.problem}>
              {errorMessage(download.error, t('failed'))}
            </p>
          )}
          <dl className={styles.facts}>
            <dt>{t('file')}</dt>
            <dd>
              <bdi dir="ltr">{fileName}</bdi>
            </dd>
            <dt>{t('size')}</dt>
            <dd>{formatBytes(size ?? 0)}</dd>
            <dt>{t('hash')}</dt>
            <dd className={styles.hash}>
              <code dir="ltr">{sha256}</code>
              <CopyButton text={sha256} label={t('copyHash', { name })} />
            </dd>
          </dl>
          <HashCheck platform={platform} fileName={fileName} />
        </>
      ) : (
        <p className={styles.missing} role="note">
          {t('missing', { name, version })}
        </p>
      )}
    </section>
  )
}

export function ownFirst(installers: Installer[], own: Platform | null): Installer[] {
  return [...installers].sort((a, b) => Number(b.platform === own) - Number(a.platform === own))
}

type HashCheckProps = { platform: Platform; fileName: string }

export function HashCheck({ platform, fileName }: HashCheckProps) {
  const { t } = useTranslation('download')
  const command = hashCommands[platform](fileName)
  const name = platformNames[platform]
  return (
    <details className={styles.check}>
      <summary>{t('check.title')}</summary>
      <p>{t(`check.${platform}`)}</p>
      <div className={styles.command}>
        <pre dir="ltr" tabIndex={0} role="region" aria-label={t('check.command', { name })}>
          {command}
        </pre>
        <CopyButton text={command} label={t('check.copy', { name })} />
      </div>
      <p>{t('check.compare')}</p>
    </details>
  )
}

/** Lets the browser fetch an address into its downloads; the page stays. */
function startDownload(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
