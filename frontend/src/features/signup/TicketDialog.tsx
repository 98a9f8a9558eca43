import { useTranslation } from 'react-i18next'
import styles from '@/components/forms/form.module.css'
import { TextButton } from '@/components/TextButton'
import { PlainDialog } from './PlainDialog'
import { TicketForm } from './TicketForm'
import type { Signup } from './use-signup'

/** The hour has passed. Everything entered stays where it is. */
export default function TicketDialog({ signup: { ticketDialog } }: { signup: Signup }) {
  const { t } = useTranslation('signup')
  return (
    <PlainDialog title={t('ticket.title')} onCancel={ticketDialog.cancel}>
      <p className={styles.lead}>{t('ticket.text')}</p>
      <TicketForm autoFocus onTicket={ticketDialog.answer} />
      <div className={styles.row}>
        <TextButton onClick={ticketDialog.cancel}>{t('ticket.cancel')}</TextButton>
      </div>
    </PlainDialog>
  )
}
