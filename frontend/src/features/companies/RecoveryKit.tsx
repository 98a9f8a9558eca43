import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { DownloadIcon } from '@/components/icons/DownloadIcon'
import { PrintIcon } from '@/components/icons/PrintIcon'
import { PrintSheet } from '@/components/PrintSheet'
import { formatDate } from '@/i18n/format'
import { saveFile } from '@/lib/save-file'
import styles from './recovery-kit.module.css'

/** A page to print or save, made in the browser and never sent. */
export function RecoveryKit(facts: KitFacts) {
  const { t } = useTranslation('company')

  function save() {
    saveFile(new Blob([kitText(t, facts)], { type: 'text/plain;charset=utf-8' }), `${t('kit.file')}.txt`)
  }

  return (
    <div className={styles.offer}>
      <p>{t('kit.offer')}</p>
      <div className={styles.buttons}>
        <Button variant="outlined" size="large" onClick={() => window.print()}>
          <PrintIcon />
          {t('common:actions.print')}
        </Button>
        <Button variant="outlined" size="large" onClick={save}>
          <DownloadIcon />
          {t('kit.save')}
        </Button>
      </div>
      <p className={styles.note}>{t('kit.warning')}</p>
      <PrintSheet title={t('kit.heading')}>
        {kitLines(t, facts).map((line) => (
          <p key={line}>
            <bdi>{line}</bdi>
          </p>
        ))}
        <h2>{t('newPassphrase.label')}</h2>
        <pre dir="auto">{facts.passphrase}</pre>
        <p>{t('kit.keep')}</p>
        <p>{t('kit.warning')}</p>
      </PrintSheet>
    </div>
  )
}

type KitFacts = { company: string; person: string; passphrase: string; epoch: number }

/** The lines of the sheet. */
function kitLines(t: TFunction<'company'>, { company, person, epoch }: KitFacts, now = new Date()): string[] {
  return [
    `${t('kit.company')} ${company}`,
    `${t('kit.person')} ${person}`,
    `${t('kit.made')} ${formatDate(now, 'long')}`,
    `${t('kit.epoch')} ${epoch}`,
  ]
}

/** The same as plain text, which any program can open. */
function kitText(t: TFunction<'company'>, facts: KitFacts, now = new Date()): string {
  return [
    t('kit.heading'),
    '',
    ...kitLines(t, facts, now),
    '',
    t('newPassphrase.label'),
    '',
    `    ${facts.passphrase}`,
    '',
    t('kit.keep'),
    t('kit.warning'),
    '',
  ].join('\r\n')
}
