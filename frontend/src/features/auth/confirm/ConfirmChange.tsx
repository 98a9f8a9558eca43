import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors'
import { homeOfUser } from '@/api/home'
import type { User } from '@/api/session'
import { withVerification } from '@/api/verification'
import { AuthCard } from '@/components/AuthCard'
import { Button, LinkButton } from '@/components/Button'
import { Stack } from '@/components/forms/layout'
import { MutationError } from '@/components/forms/MutationError'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { confirmEmail, type ConfirmLinkRead } from '../api'
import own from './confirm.module.css'
import { isLinkRefusal, LinkRefused } from './ConfirmOutcome'

type Props = { token: string; link: ConfirmLinkRead; user: User; onConfirmed: (address: string) => void }

/** Another person may have entered the new address, so confirming takes a click and a code. */
export function ConfirmChange({ token, link, user, onConfirmed }: Props) {
  const { t } = useTranslation('auth')
  const confirm = useSecretMutation(async () => {
    onConfirmed(await withVerification(() => confirmEmail(token)))
  })
  const { error } = confirm
  if (error instanceof ApiError && isLinkRefusal(error)) {
    return <LinkRefused error={error} user={user} onRetry={confirm.reset} />
  }
  return (
    <AuthCard title={t('confirm.change.title')} text={t('confirm.change.text')}>
      <Stack page>
        <dl className={own.addresses}>
          <div>
            <dt>{t('confirm.change.current')}</dt>
            <dd>
              <bdi dir="ltr">{link.currentEmailAddress}</bdi>
            </dd>
          </div>
          <div>
            <dt>{t('confirm.change.new')}</dt>
            <dd>
              <bdi dir="ltr">{link.newEmailAddress}</bdi>
            </dd>
          </div>
        </dl>
        <MutationError mutation={confirm} fallback={t('confirm.change.failed')} />
        <Button size="xlarge" fullWidth pending={confirm.isPending} onClick={() => void confirm.mutate()}>
          {t(confirm.isPending ? 'confirm.change.pending' : 'confirm.change.submit')}
        </Button>
        <LinkButton variant="text" fullWidth to={homeOfUser(user)}>
          {t('confirm.change.cancel')}
        </LinkButton>
      </Stack>
    </AuthCard>
  )
}
