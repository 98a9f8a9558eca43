import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { NativeDialog } from '@/components/dialog/NativeDialog'
import styles from '@/components/forms/form.module.css'
import { TicketForm } from './TicketForm'
import type { Signup } from './use-signup'

/** The hour has passed. Everything entered stays where it is. */
export default function TicketDialog({ signup: { ticketDialog } }: { signup: Signup }) {
  const { t } = useTranslation('signup')
  return (
    <NativeDialog title={t('ticket.title')} onCancel={ticketDialog.cancel}>
      <p className={styles.lead}>{t('ticket.text')}</p>
      <TicketForm autoFocus onTicket={ticketDialog.answer} />
      <div className={styles.row}>
        <Button variant="text" size="large" onClick={ticketDialog.cancel}>
          {t('ticket.cancel')}
        </Button>
      </div>
    </NativeDialog>
  )
}
