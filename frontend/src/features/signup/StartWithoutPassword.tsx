import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Form } from '@/components/forms/Form'
import { MutationError } from '@/components/forms/MutationError'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { newTicket } from './api'

type Props = { link: string | null; onTicket: (ticket: string) => void }

/** Begins the sign-up without the registration password: by a personal link, or where everyone may. */
export function StartWithoutPassword({ link, onTicket }: Props) {
  const { t } = useTranslation(['signup', 'errors'])
  const begin = useSecretMutation(async () => onTicket(await newTicket(link)))
  return (
    <Form page onSubmit={() => void begin.mutate()}>
      <MutationError mutation={begin} fallback={t('access.beginFailed')} />
      <Button type="submit" size="xlarge" fullWidth pending={begin.isPending}>
        {t('access.begin')}
      </Button>
    </Form>
  )
}
