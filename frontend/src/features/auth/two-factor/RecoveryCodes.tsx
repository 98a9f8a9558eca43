import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { CheckField } from '@/components/forms/Field'
import { Actions, Lead, Stack } from '@/components/forms/layout'
import { DownloadIcon } from '@/components/icons/DownloadIcon'
import { CopyIcon } from '@/components/icons/CopyIcon'
import { PrintIcon } from '@/components/icons/PrintIcon'
import { PrintSheet } from '@/components/PrintSheet'
import { useUser } from '@/hooks/use-session'
import { formatDate } from '@/i18n/format'
import { copyText } from '@/lib/copy-text'
import { saveFile } from '@/lib/save-file'
import own from './two-factor.module.css'

/** The recovery codes, shown once. Without them, a user who loses the app needs support. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useTranslation('security')
  const account = useUser()?.email_address ?? ''
  const [kept, setKept] = useState(false)
  const lines = [
    t('codes.heading'),
    `${account} · ${formatDate(new Date(), 'long')}`,
    '',
    ...codes,
    '',
    t('codes.keep'),
    '',
  ]

  function save() {
    saveFile(new Blob([lines.join('\r\n')], { type: 'text/plain;charset=utf-8' }), `${t('codes.file')}.txt`)
  }

  return (
    <Stack>
      <Lead>{t('codes.text')}</Lead>
      <ol className={own.codes} dir="ltr" aria-label={t('codes.heading')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={own.buttons}>
        <Button
          variant="outlined"
          size="large"
          onClick={() => void copyText(codes.join('\n'), t('common:copy.copied'), t('copyFailed'))}
        >
          <CopyIcon />
          {t('common:copy.action')}
        </Button>
        <Button variant="outlined" size="large" onClick={save}>
          <DownloadIcon />
          {t('codes.save')}
        </Button>
        <Button variant="outlined" size="large" onClick={() => window.print()}>
          <PrintIcon />
          {t('common:actions.print')}
        </Button>
      </div>
      <CheckField label={t('codes.kept')} checked={kept} onChange={(event) => setKept(event.target.checked)} />
      <Actions>
        <Button disabledReason={kept ? null : t('codes.notKept')} onClick={onDone}>
          {t('common:actions.done')}
        </Button>
      </Actions>
      <PrintSheet title={t('codes.heading')}>
        <p>
          <bdi dir="ltr">{account}</bdi> · {formatDate(new Date(), 'long')}
        </p>
        <ol dir="ltr">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <p>{t('codes.keep')}</p>
      </PrintSheet>
    </Stack>
  )
}
