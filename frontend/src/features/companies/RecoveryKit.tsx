import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { DownloadIcon, PrintIcon } from '@/components/icons'
import { saveFile } from '@/lib/save-file'
import { kitLines, kitText, type KitFacts } from './recovery-kit'
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
          {t('kit.print')}
        </Button>
        <Button variant="outlined" size="large" onClick={save}>
          <DownloadIcon />
          {t('kit.save')}
        </Button>
      </div>
      <p className={styles.note}>{t('kit.warning')}</p>
      {createPortal(
        <article className={styles.paper} aria-hidden>
          <h1>{t('kit.heading')}</h1>
          {kitLines(t, facts).map((line) => (
            <p key={line}>
              <bdi>{line}</bdi>
            </p>
          ))}
          <h2>{t('kit.passphrase')}</h2>
          <pre dir="auto">{facts.passphrase}</pre>
          <p>{t('kit.keep')}</p>
          <p>{t('kit.warning')}</p>
        </article>,
        document.body,
      )}
    </div>
  )
}
