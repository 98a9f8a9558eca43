import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { DownloadIcon } from '@/components/icons/DownloadIcon'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { formatBytes } from '@/i18n/format'
import { newDownloadLink, type Platform, type ReleaseFile } from '../api'
import { CodeBlock } from '@/components/CodeBlock'
import { CopyButton } from '@/components/CopyButton'
import { hashCommands, loginCommand, platformNames } from './commands'
import styles from './download.module.css'

type Props = { platform: Platform; file: ReleaseFile; email: string; primary: boolean }

export function FileDownload({ platform, file, email, primary }: Props) {
  const { t } = useTranslation('download')
  const { fileName, machine, needsPython, isInstaller, isSigned, size, sha256 } = file
  const kind = [machine, needsPython && 'Python', isInstaller && t('installer')].filter(Boolean).join(', ')
  const name = kind ? `${platformNames[platform]} (${kind})` : platformNames[platform]
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
        icon={<DownloadIcon />}
        pending={download.isPending}
        onClick={() => void download.mutate()}
      >
        {t(download.isPending ? 'preparing' : 'download', { name })}
      </Button>
      <p className="t-soft">{t(isInstaller ? 'installs' : needsPython ? 'needsPython' : 'needsNothing')}</p>
      {isInstaller && !isSigned && platform !== 'linux' && <p className="t-note">{t(`unsigned.${platform}`)}</p>}
      <p role="status">{started ? t('started') : ''}</p>
      {download.error !== null && (
        <p role="alert" className="t-note">
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
        <dd>
          <code dir="ltr">{sha256}</code>
          <CopyButton text={sha256} label={t('copyHash', { name })} />
        </dd>
      </dl>
      <CodeBlock
        text={loginCommand(platform, file, window.location.origin, email)}
        caption={t(!isInstaller ? 'login.text' : platform === 'linux' ? 'login.package' : 'login.installed')}
        label={t('login.command', { name })}
        copyLabel={t('login.copy', { name })}
      />
      <details>
        <summary>{t('check.title')}</summary>
        <CodeBlock
          text={hashCommands[platform](fileName)}
          caption={t(platform === 'windows' ? 'check.windows' : 'check.terminal')}
          label={t('check.command', { name })}
          copyLabel={t('check.copy', { name })}
        />
        <p className="t-soft">{t('check.compare')}</p>
      </details>
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
