import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { DownloadIcon } from '@/components/icons/DownloadIcon'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { formatBytes } from '@/i18n/format'
import { newDownloadLink, type Platform, type ReleaseFile } from '../api'
import { CopyButton } from '../CopyButton'
import { hashCommands, loginCommand, platformNames } from './commands'
import styles from './download.module.css'

type Props = { platform: Platform; file: ReleaseFile; email: string; primary: boolean }

export function FileDownload({ platform, file, email, primary }: Props) {
  const { t } = useTranslation('download')
  const { fileName, machine, needsPython, size, sha256 } = file
  const name = machine ? `${platformNames[platform]} (${machine})` : platformNames[platform]
  const [started, setStarted] = useState(false)
  const download = useSecretMutation(async () => {
    setStarted(false)
    startDownload(await newDownloadLink(fileName))
    setStarted(true)
  })
  return (
    <div className={styles.file}>
      <Button
        variant={primary ? 'primary' : 'outlined'}
        size="large"
        className={styles.get}
        aria-busy={download.isPending}
        onClick={() => void download.mutate()}
      >
        <DownloadIcon />
        {t(download.isPending ? 'preparing' : 'download', { name })}
      </Button>
      <p className={styles.needs}>{t(needsPython ? 'needsPython' : 'needsNothing')}</p>
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
        <dd>{formatBytes(size)}</dd>
        <dt>{t('hash')}</dt>
        <dd className={styles.hash}>
          <code dir="ltr">{sha256}</code>
          <CopyButton text={sha256} label={t('copyHash', { name })} />
        </dd>
      </dl>
      <p className={styles.step}>{t('login.text')}</p>
      <Command
        text={loginCommand(platform, file, window.location.origin, email)}
        label={t('login.command', { name })}
        copy={t('login.copy', { name })}
      />
      <details className={styles.check}>
        <summary>{t('check.title')}</summary>
        <p>{t(platform === 'windows' ? 'check.windows' : 'check.terminal')}</p>
        <Command
          text={hashCommands[platform](fileName)}
          label={t('check.command', { name })}
          copy={t('check.copy', { name })}
        />
        <p>{t('check.compare')}</p>
      </details>
    </div>
  )
}

type CommandProps = { text: string; label: string; copy: string }

function Command({ text, label, copy }: CommandProps) {
  return (
    <div className={styles.command}>
      <pre dir="ltr" tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} label={copy} />
    </div>
  )
}

/** Lets the browser fetch an address into its downloads; the page stays. */
function startDownload(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
