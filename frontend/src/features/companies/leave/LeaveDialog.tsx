import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
import { Field } from '@/components/forms/Field'
import { leave, type Leaving } from './api'
import { LeavingDates } from './LeavingDates'
import styles from './leave.module.css'

type Props = { company: string; leaving: Leaving; onDone: () => void; onClose: () => void }

const plain = (text: string) => text.normalize('NFC').trim()

/** The name has to be typed, so that nobody leaves by accident. */
export default function LeaveDialog({ company, leaving, onDone, onClose }: Props) {
  const { t } = useTranslation('leave')
  const [typed, setTyped] = useState('')
  return (
    <ConfirmMutation
      destructive
      title={t('dialog.title', { company })}
      confirmLabel={t('dialog.confirm')}
      disabledReason={plain(typed) === plain(company) ? null : t('dialog.typeName')}
      mutate={() => withVerification(() => leave({ name: plain(typed), lastDay: leaving.lastDay }))}
      success={t('left')}
      failure={t('dialog.failed')}
      onDone={onDone}
      onClose={onClose}
    >
      <p className={styles.text}>{t('dialog.text')}</p>
      <LeavingDates leaving={leaving} />
      <Field
        label={t('dialog.label', { company })}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ConfirmMutation>
  )
}
