import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { sessionStore } from '@/api/session'
import { toast } from '@/components/toast'
import type { Ids } from '@/crypto/headers'
import { makeUserKeys } from '@/crypto/user-keys'
import { resetPassword } from '../api/reset-password'
import styles from '../auth.module.css'
import { describeFailure } from '../describe-failure'
import { FormButton } from '../FormButton'
import { FormError } from '../FormError'
import { emptyPassword, newPasswordSchema, whyNotYet } from '../new-password'
import { NewPasswordFields } from '../NewPasswordFields'
import { useTask } from '../use-task'

type Props = { token: string; ids: Ids }

// Whose mailbox opened the link is not told to the page, so that the address cannot be compared.
const schema = newPasswordSchema('')

/** The account's sessions have ended on the server; the one in this browser follows, if it is the same account. */
function leaveSessionOf({ uid }: Ids): void {
  const session = sessionStore.get()
  if (session.status === 'signedIn' && session.user.uuid === uid) sessionStore.signOut('loggedOut')
}

export function ResetForm({ token, ids }: Props) {
  const { t } = useTranslation(['auth', 'errors'])
  const navigate = useNavigate()
  const form = useForm({ resolver: zodResolver(schema), mode: 'onTouched', defaultValues: emptyPassword })
  const { register, control, handleSubmit, reset, formState } = form
  const change = useTask(async (password: string) => {
    const keys = await makeUserKeys(password, ids)
    await resetPassword(token, keys)
    reset()
    leaveSessionOf(ids)
    toast.success(t('password.changed'))
    void navigate('/login', { replace: true })
  })
  const missing = whyNotYet(useWatch({ control }) as typeof emptyPassword)
  const submit = handleSubmit(async ({ password }) => {
    await change.run(password)
  })

  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <div className={styles.panel}>
        <h2>{t('reset.keysTitle')}</h2>
        <p>{t('reset.keysText')}</p>
        <p>{t('reset.passphraseText')}</p>
      </div>
      {change.error ? (
        <FormError key={change.failedAt}>{describeFailure(change.error, t('reset.failed'), t)}</FormError>
      ) : null}
      <NewPasswordFields register={register} control={control} errors={formState.errors} readOnly={change.pending} />
      <FormButton pending={change.pending} disabledReason={missing && t(missing)}>
        {t(change.pending ? 'reset.pending' : 'reset.submit')}
      </FormButton>
    </form>
  )
}
