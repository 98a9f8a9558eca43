import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { ProgressBar } from '@/components/ProgressBar'
import { addAddress, type AddressProblem } from './addresses'
import { AddressInput } from './AddressInput'
import styles from './dialog.module.css'

type Props = { pending: boolean; onInvite: (addresses: string[]) => void; onClose: () => void }

export function InviteForm({ pending, onInvite, onClose }: Props) {
  const { t } = useTranslation('invites')
  const [addresses, setAddresses] = useState<string[]>([])
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<AddressProblem | null>(null)

  /** Includes the address that is still in the field. */
  function submit() {
    const last = text.trim() === '' ? { addresses, problem: null } : addAddress(addresses, text)
    setProblem(last.problem)
    if (last.problem || last.addresses.length === 0) return
    setAddresses(last.addresses)
    setText('')
    onInvite(last.addresses)
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!pending) submit()
      }}
    >
      <DialogContent>
        <p className={styles.lead}>{t('dialog.text')}</p>
        <AddressInput
          addresses={addresses}
          onChange={setAddresses}
          text={text}
          onText={setText}
          problem={problem}
          onProblem={setProblem}
        />
        {pending ? (
          <div className={styles.progress} role="status">
            <ProgressBar label={t('dialog.sending', { count: addresses.length })} />
            <p>{t('dialog.sending', { count: addresses.length })}</p>
          </div>
        ) : null}
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={onClose} disabled={pending}>
          {t('common:actions.cancel')}
        </Button>
        <Button
          type="submit"
          pending={pending}
          disabledReason={addresses.length === 0 && text.trim() === '' ? t('dialog.needsOne') : null}
        >
          {addresses.length > 1 ? t('dialog.submitMany', { count: addresses.length }) : t('dialog.submit')}
        </Button>
      </DialogActions>
    </form>
  )
}
