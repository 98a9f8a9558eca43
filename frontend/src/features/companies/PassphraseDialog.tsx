import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '@/api/session'
import { Button } from '@/components/Button'
import { Dialog, DialogContent, DialogTitle } from '@/components/dialog/Dialog'
import { Form } from '@/components/forms/Form'
import styles from '@/components/forms/form.module.css'
import { FormActions } from '@/components/forms/FormActions'
import { MutationError } from '@/components/forms/FormError'
import { UnlockForm } from '@/components/forms/UnlockForm'
import { useUser } from '@/hooks/use-session'
import { emptyPassphrase, NewPassphraseFields, passphraseProblem } from './NewPassphraseFields'
import { FormerPassphrases } from './passphrase/FormerPassphrases'
import { Revealed } from './passphrase/Revealed'
import { usePassphrase, type PassphraseFlow, type Why } from './passphrase/use-passphrase'
import { RecoveryKit } from './RecoveryKit'

type Props = { open: boolean; onClose: () => void }

export default function PassphraseDialog({ open, onClose }: Props) {
  const user = useUser()
  return (
    <Dialog open={open} onClose={onClose}>
      {user ? <Content user={user} onClose={onClose} /> : null}
    </Dialog>
  )
}

/** Separate from the dialog, so that its state is dropped when it closes. */
function Content({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation(['company', 'auth', 'errors'])
  const passphrase = usePassphrase(user)
  const { view } = passphrase
  const title = view.name === 'change' && view.why !== 'change' ? 'enter' : view.name
  return (
    <>
      <DialogTitle>{t(`passphrase.title.${title}`)}</DialogTitle>
      <DialogContent>
        {view.name === 'start' ? <Start passphrase={passphrase} onClose={onClose} /> : null}
        {view.name === 'unlock' ? <UnlockForm {...passphrase} onClose={onClose} /> : null}
        {view.name === 'shown' || view.name === 'former' ? (
          <Revealed
            text={view.text}
            label={t(`passphrase.title.${view.name}`)}
            passphrase={passphrase}
            onClose={onClose}
          />
        ) : null}
        {view.name === 'change' ? <ChangeForm why={view.why} passphrase={passphrase} onClose={onClose} /> : null}
        {view.name === 'kit' ? <Kit user={user} text={view.text} epoch={view.epoch} onClose={onClose} /> : null}
      </DialogContent>
    </>
  )
}

type ChangeFormProps = { why: Why; passphrase: PassphraseFlow; onClose: () => void }

function ChangeForm({ why, passphrase: { save }, onClose }: ChangeFormProps) {
  const { t } = useTranslation('company')
  const [draft, setDraft] = useState(emptyPassphrase)
  const problem = passphraseProblem(draft)
  return (
    <Form
      className={styles.dialogForm}
      onSubmit={() => {
        if (!problem) void save.mutate(draft.passphrase)
      }}
    >
      <div className={styles.panel} role="note">
        {t(`passphrase.why.${why}`)}
      </div>
      <MutationError mutation={save} fallback={t('passphrase.changeFailed')} />
      <NewPassphraseFields draft={draft} onChange={setDraft} readOnly={save.isPending} />
      <FormActions
        submitLabel={t(save.isPending ? 'passphrase.sealing' : 'passphrase.save')}
        cancelLabel={t('passphrase.cancel')}
        onCancel={onClose}
        pending={save.isPending}
        disabledReason={problem && t(`newPassphrase.problem.${problem}`)}
      />
    </Form>
  )
}

type KitProps = { user: User; text: string; epoch: number; onClose: () => void }

function Kit({ user, text, epoch, onClose }: KitProps) {
  const { t } = useTranslation('company')
  const person = `${user.firstName} ${user.lastName}`
  return (
    <div className={styles.dialogForm}>
      <RecoveryKit company={user.companyName} person={person} passphrase={text} epoch={epoch} />
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('passphrase.done')}</Button>
      </div>
    </div>
  )
}

type StartProps = { passphrase: PassphraseFlow; onClose: () => void }

function Start({ passphrase, onClose }: StartProps) {
  const { ask } = passphrase
  const { t } = useTranslation('company')
  return (
    <div className={styles.dialogForm}>
      <p className={styles.lead}>{t('passphrase.text')}</p>
      <MutationError mutation={ask} fallback={t('passphrase.revealFailed')} />
      <div className={styles.actions}>
        <Button variant="text" onClick={onClose}>
          {t('passphrase.close')}
        </Button>
        <Button variant="outlined" disabled={ask.isPending} onClick={() => void ask.mutate('change')}>
          {t('passphrase.change')}
        </Button>
        <Button autoFocus pending={ask.isPending} onClick={() => void ask.mutate('reveal')}>
          {t('passphrase.reveal')}
        </Button>
      </div>
      <FormerPassphrases passphrase={passphrase} />
    </div>
  )
}
