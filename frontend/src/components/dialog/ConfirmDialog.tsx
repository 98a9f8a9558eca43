import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../Button'
import { Dialog, DialogActions, DialogContent, DialogTitle } from './Dialog'

type Props = {
  open: boolean
  title: string
  /** Names the item and the consequences. */
  children?: ReactNode
  confirmLabel: string
  cancelLabel?: string
  destructive?: boolean
  pending?: boolean
  disabledReason?: string | null
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  cancelLabel,
  destructive = false,
  ...rest
}: Props) {
  const { pending = false, disabledReason, onConfirm, onClose } = rest
  const { t } = useTranslation()
  return (
    <Dialog open={open} onClose={pending ? undefined : onClose} role="alertdialog">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!pending && !disabledReason) onConfirm()
        }}
      >
        <DialogTitle>{title}</DialogTitle>
        {children ? <DialogContent muted>{children}</DialogContent> : null}
        <DialogActions>
          <Button variant="text" onClick={onClose} disabled={pending} autoFocus={destructive}>
            {cancelLabel ?? t('actions.cancel')}
          </Button>
          <Button type="submit" danger={destructive} pending={pending} disabledReason={disabledReason}>
            {confirmLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
