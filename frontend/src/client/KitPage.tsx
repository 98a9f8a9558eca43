import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { CheckField } from '@/components/forms/Field'
import { PasswordField } from '@/components/forms/PasswordField'
import { DownloadIcon } from '@/components/icons/DownloadIcon'
import { PrintIcon } from '@/components/icons/PrintIcon'
import { PageHeader } from '@/components/PageHeader'
import { PrintSheet } from '@/components/PrintSheet'
import { saveFile } from '@/lib/save-file'
import styles from './page.module.css'
import { post, type Schemas } from './api'
import { Failure } from './Failure'
import { useCall } from './use-call'
import { useVerified } from './use-verified'

export default function KitPage() {
  const { t } = useTranslation('client')
  const [kit, setKit] = useState<Schemas['KitInfo'] | null>(null)
  const [passphrase, setPassphrase] = useState('')
  const [isKept, setKept] = useState(false)
  const { run, isPending, error } = useCall()
  const { verified, dialog } = useVerified()
  const make = () => void run(() => verified(async () => setKit(await post('/recovery-kit', { passphrase }))))
  return (
    <div className={styles.page}>
      <PageHeader title={t('kit.title')} sub={t('kit.sub')} />
      {kit ? (
        <section className={`t-card ${styles.fields}`}>
          <h2>{t('kit.code')}</h2>
          <code dir="ltr">{kit.code}</code>
          <p className="t-soft">{t('kit.keep')}</p>
          <div className="t-line">
            <Button onClick={() => window.print()}>
              <PrintIcon />
              {t('kit.print')}
            </Button>
            <Button
              variant="outlined"
              onClick={() =>
                saveFile(new Blob([kit.page], { type: 'text/html' }), `tessera-recovery-kit-${kit.counter}.html`)
              }
            >
              <DownloadIcon />
              {t('kit.save')}
            </Button>
          </div>
          <KitSheet text={kit.text} />
          <CheckField label={t('kit.kept')} checked={isKept} onChange={({ target }) => setKept(target.checked)} />
          <Button
            variant="outlined"
            disabledReason={isKept ? null : t('kit.confirmFirst')}
            onClick={() => setKit(null)}
          >
            {t('common:actions.done')}
          </Button>
        </section>
      ) : (
        <section className={`t-card ${styles.fields}`}>
          <p className="t-soft">{t('kit.text')}</p>
          <PasswordField
            label={t('kit.passphrase')}
            value={passphrase}
            autoComplete="off"
            onChange={({ target }) => setPassphrase(target.value)}
          />
          <Failure text={error?.text} />
          <Button
            size="large"
            pending={isPending}
            disabledReason={passphrase.trim() ? null : t('kit.passphraseFirst')}
            onClick={make}
          >
            {t('kit.make')}
          </Button>
        </section>
      )}
      {dialog}
    </div>
  )
}

/** The first line is the title. */
function KitSheet({ text }: { text: string }) {
  const [title = '', ...lines] = text.split('\n')
  return (
    <PrintSheet title={title}>
      <pre dir="auto">{lines.join('\n').trim()}</pre>
    </PrintSheet>
  )
}
