import { useTranslation } from 'react-i18next'
import type { Platform } from '../api'
import { CopyButton } from '../CopyButton'
import styles from './download.module.css'
import { hashCommands, platformNames } from './platforms'

type Props = { platform: Platform; fileName: string }

export function HashCheck({ platform, fileName }: Props) {
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
