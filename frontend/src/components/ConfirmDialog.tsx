import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SubmitButton } from './SubmitButton'

type Props = {
  open: boolean
  title: string
  /** Names the thing and what is lost. */
  children?: ReactNode
  confirmLabel: string
  cancelLabel?: string
  destructive?: boolean
  pending?: boolean
  disabledReason?: string | null
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog({ open, title, children, confirmLabel, cancelLabel, destructive, ...rest }: Props) {
  const { pending = false, disabledReason, onConfirm, onClose } = rest
  const { t } = useTranslation()
  const titleId = useId()
  return (
    <Dialog
      open={open}
      onClose={pending ? undefined : onClose}
      maxWidth="xs"
      fullWidth
      role="alertdialog"
      aria-labelledby={titleId}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!pending && !disabledReason) onConfirm()
        }}
      >
        <DialogTitle id={titleId}>{title}</DialogTitle>
        {children ? <DialogContent sx={{ color: 'text.secondary' }}>{children}</DialogContent> : null}
        <DialogActions sx={{ paddingInline: 3, paddingBlockEnd: 2.5 }}>
          <Button onClick={onClose} disabled={pending} autoFocus={Boolean(destructive)}>
            {cancelLabel ?? t('actions.cancel')}
          </Button>
          <SubmitButton pending={pending} disabledReason={disabledReason} color={destructive ? 'error' : 'primary'}>
            {confirmLabel}
          </SubmitButton>
        </DialogActions>
      </form>
    </Dialog>
  )
}
