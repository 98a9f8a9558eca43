import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { Lead, Row } from '@/components/forms/layout'
import { TicketForm } from './TicketForm'
import type { Signup } from './use-signup'

/** The hour has passed. Everything entered stays where it is. */
export default function TicketDialog({ signup: { ticketDialog } }: { signup: Signup }) {
  const { t } = useTranslation('signup')
  return (
    <Dialog title={t('ticket.title')} onClose={ticketDialog.cancel} closesOnOutsideClick={false}>
      <DialogContent>
        <Lead>{t('ticket.text')}</Lead>
        <TicketForm autoFocus onTicket={ticketDialog.answer} />
        <Row>
          <Button variant="text" size="large" onClick={ticketDialog.cancel}>
            {t('ticket.cancel')}
          </Button>
        </Row>
      </DialogContent>
    </Dialog>
  )
}
