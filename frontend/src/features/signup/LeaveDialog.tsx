import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { Lead, Row, Stack } from '@/components/forms/layout'
import type { Signup } from './use-signup'

export default function LeaveDialog({ signup: { leaveDialog } }: { signup: Signup }) {
  const { t } = useTranslation('signup')
  return (
    <Dialog title={t('leave.title')} onClose={leaveDialog.stay} closesOnOutsideClick={false}>
      <DialogContent>
        <Stack>
          <Lead>{t('leave.text')}</Lead>
          <Row>
            <Button variant="text" size="large" onClick={leaveDialog.leave}>
              {t('leave.leave')}
            </Button>
            <Button size="large" onClick={leaveDialog.stay}>
              {t('leave.stay')}
            </Button>
          </Row>
        </Stack>
      </DialogContent>
    </Dialog>
  )
}
