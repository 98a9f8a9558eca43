import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import styles from '@/components/forms/form.module.css'
import { MutationError } from '@/components/forms/FormError'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { newTicket } from './api'

type Props = { link: string | null; onTicket: (ticket: string) => void }

/** Begins the sign-up without the registration password: by a personal link, or where everyone may. */
export function StartWithoutPassword({ link, onTicket }: Props) {
  const { t } = useTranslation(['signup', 'errors'])
  const begin = useSecretMutation(async () => onTicket(await newTicket(link)))
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        void begin.mutate()
      }}
    >
      <MutationError mutation={begin} fallback={t('access.beginFailed')} />
      <Button type="submit" size="xlarge" fullWidth pending={begin.isPending}>
        {t('access.begin')}
      </Button>
    </form>
  )
}
