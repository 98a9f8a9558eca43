import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { sessionStore } from '@/api/session'
import { Button } from '@/components/Button'
import { Form } from '@/components/forms/Form'
import { Panel } from '@/components/forms/layout'
import { MutationError } from '@/components/forms/MutationError'
import { emptyPassword, NewPasswordFields, newPasswordSchema, whyNotYet } from '@/components/forms/NewPasswordFields'
import { useApiForm } from '@/components/forms/use-api-form'
import { toast } from '@/components/toast'
import type { Ids } from '@/crypto/headers'
import { makeUserKeys } from '@/crypto/user-keys'
import { resetPassword } from '../api'

type Props = { token: string; ids: Ids; ssoRequired: boolean }

// The page does not know the account's address, so the password cannot be compared with it.
const schema = newPasswordSchema('')

/** The account's sessions have ended on the server; the one in this browser follows, if it is the same account. */
function leaveSessionOf({ uid }: Ids): void {
  const session = sessionStore.get()
  if (session.status === 'signedIn' && session.user.uuid === uid) sessionStore.signOut('loggedOut')
}

export function ResetForm({ token, ids, ssoRequired }: Props) {
  const { t } = useTranslation(['auth', 'errors'])
  const navigate = useNavigate()
  const form = useApiForm({
    schema,
    defaultValues: emptyPassword,
    submit: async ({ password }, form) => {
      const keys = await makeUserKeys(password, ids)
      await resetPassword(token, keys)
      form.reset()
      leaveSessionOf(ids)
      toast.success(t('password.changed'))
      void navigate(ssoRequired ? '/login/company' : '/login', { replace: true })
    },
  })
  const { mutation } = form
  const missing = whyNotYet(useWatch(form) as typeof emptyPassword)

  return (
    <Form page onSubmit={form.onSubmit}>
      <Panel>
        <h2>{t('reset.keysTitle')}</h2>
        <p>{t('reset.keysText')}</p>
        <p>{t('reset.passphraseText')}</p>
        {ssoRequired ? <p>{t('reset.ssoText')}</p> : null}
      </Panel>
      <MutationError mutation={mutation} fallback={t('reset.failed')} />
      <NewPasswordFields form={form} />
      <Button type="submit" size="xlarge" fullWidth pending={mutation.isPending} disabledReason={missing && t(missing)}>
        {t(mutation.isPending ? 'reset.pending' : 'reset.submit')}
      </Button>
    </Form>
  )
}
